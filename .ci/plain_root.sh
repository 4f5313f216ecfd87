# shellcheck shell=bash disable=SC2034
# Functions that make a plain Debian system in a folder; the scripts beside this one source it. They need
# namespaces of their own (plain_namespaces), with which all mounts and processes of the system end.

# The command that gives a process its own mounts, process numbers and host name.
plain_namespaces=(unshare --mount --pid --ipc --uts --mount-proc --kill-child)

# Prints settings of this machine's apt, such as a proxy, that its package sources may need.
apt_settings() {
  apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until|Check-Date|Retries|ForceIPv[46]) ' || true
  [[ -z ${http_proxy-} ]] || printf 'Acquire::http::Proxy "%s";\n' "$http_proxy"
  [[ -z ${https_proxy-} ]] || printf 'Acquire::https::Proxy "%s";\n' "$https_proxy"
}

# own_mirror SUITE SCRATCH_FILE: prints the first package source of this machine that has the suite. If none
# has it, prints nothing, and debootstrap uses its own.
own_mirror() {
  local uri
  apt-get update --print-uris | sed -n "s|^'\([^']*\)/dists/[^/']*/InRelease'.*|\1|p" | sort -u |
    while read -r uri; do
      if /usr/lib/apt/apt-helper download-file "$uri/dists/$1/Release" "$2" >/dev/null 2>&1; then
        printf '%s\n' "$uri"
        break
      fi
    done
}

# in_memory ROOT: makes an empty folder, in memory if there is enough. On a disk, package managers mostly
# wait, and removing a system took 158 s (decision 50). Needs plain_namespaces.
in_memory() {
  local available
  mkdir -p "$1"
  available=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo)
  # From 14 GB on, 8 GB are for a system with a whole build, the rest for compilers.
  ((available < 14)) || mount -t tmpfs -o size=8g,mode=755 plain "$1"
}

# make_plain_root ROOT SUITE PACKAGES COMPONENTS SCRIPT: makes a new system, or fails. PACKAGES and COMPONENTS
# have commas, SCRIPT is one of debootstrap's. ROOT.log has debootstrap's output. Needs plain_namespaces.
make_plain_root() {
  local root=$1 suite=$2 mirror
  in_memory "$root"
  mirror=$(own_mirror "$suite" "$root.release")
  eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
  [[ -z ${http_proxy-} ]] || export http_proxy
  debootstrap --variant=minbase --force-check-gpg --include="$3" --components="$4" \
    "$suite" "$root" "$mirror" "/usr/share/debootstrap/scripts/$5" >"$root.log" 2>&1 || return
  apt_settings >"$root/etc/apt/apt.conf.d/90network"
  cat /etc/resolv.conf >"$root/etc/resolv.conf"
  # mount_kernel calls the system `plain`, which debootstrap does not write into /etc/hosts.
  printf '127.0.0.1 localhost plain\n' >"$root/etc/hosts"
}

# mount_kernel ROOT: mounts the kernel's folders /proc, /sys and /dev. Needs plain_namespaces.
mount_kernel() {
  local root=$1 node
  hostname plain
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for node in null zero full random urandom tty; do
    : >"$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
  done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s /proc/self/fd/0 "$root/dev/stdin"
  ln -s /proc/self/fd/1 "$root/dev/stdout"
  ln -s /proc/self/fd/2 "$root/dev/stderr"
}
