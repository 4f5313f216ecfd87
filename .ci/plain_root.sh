# shellcheck shell=bash disable=SC2034
# Plain Debian systems in a folder: functions for the scripts beside this one, which source it. What uses them
# runs in namespaces of its own (plain_namespaces), with which all mounts and processes of the system end.

# What makes a process with mounts, a network name and processes of its own.
plain_namespaces=(unshare --mount --pid --ipc --uts --mount-proc --kill-child)

# Settings of this machine's apt without which its package sources may not be readable.
apt_settings() {
  apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until|Check-Date|Retries|ForceIPv[46]) ' || true
  [[ -z ${http_proxy-} ]] || printf 'Acquire::http::Proxy "%s";\n' "$http_proxy"
  [[ -z ${https_proxy-} ]] || printf 'Acquire::https::Proxy "%s";\n' "$https_proxy"
}

# own_mirror SUITE SCRATCH_FILE: prints the one of this machine's package sources that has the suite. None:
# debootstrap knows one.
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

# in_memory ROOT: an empty folder, in memory where there is enough: package managers wait for a disk most of their time, and
# removing a system from one took 158 s (decision 50). In the namespaces only.
in_memory() {
  local available
  mkdir -p "$1"
  available=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo)
  # Room for a system with a whole build, and for what compiles in it.
  ((available < 14)) || mount -t tmpfs -o size=8g,mode=755 plain "$1"
}

# make_plain_root ROOT SUITE PACKAGES COMPONENTS SCRIPT: a new system; PACKAGES and COMPONENTS with commas, and
# SCRIPT the one of debootstrap's. What debootstrap says is in ROOT.log. Fails when it cannot be made. In the namespaces only.
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
  # debootstrap leaves the name that mount_kernel gives to the system out of it.
  printf '127.0.0.1 localhost plain\n' >"$root/etc/hosts"
}

# mount_kernel ROOT: mounts what belongs to the kernel. In the namespaces only.
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
