// Tests how paths become the sources of an input.
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/input.hpp"
#include "core/input/mapped_file.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/input/resumed_stream.hpp"
#include "core/run_control.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/process_state.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <optional>
#include <thread>

using namespace duomap;
namespace fs = std::filesystem;
using test::address_space_limit;
using test::contains;
using test::content;
using test::descriptor_limit;
using test::gzip_text;
using test::pipe_with;
using test::redirected;
using test::unprivileged;
using test::writer_of;
using test::zstd_text;

namespace {

const std::string small = "small\n";

std::string large() { return std::string(map_threshold, 'x') + "\n"; }

}  // namespace

TEST_CASE("small files are streamed, large ones mapped", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string at = std::string(map_threshold, 'a');
  const std::string below = std::string(map_threshold - 1, 'b');
  const input in =
      open_input({folder.write("at", at), folder.write("below", below), folder.write("empty", "")});
  REQUIRE(in.size() == 3);
  CHECK(in[0].addressable());
  CHECK_FALSE(in[1].addressable());
  CHECK_FALSE(in[2].addressable());
  CHECK((content(in[0]) == at));
  CHECK((content(in[1]) == below));
  CHECK(content(in[2]).empty());
  CHECK(in[0].name() == folder.path("at"));
  CHECK(in[0].stored_size() == map_threshold);
  CHECK(in.stored_bytes() == 2 * map_threshold - 1);
  CHECK(mapping_name(in[0].bytes().data) == folder.path("at"));
}

TEST_CASE("a streamed file can be read again", "[input][open_input]") {
  const test::temporary_folder folder;
  const input in = open_input({folder.write("file", small)});
  CHECK(content(in[0]) == small);
  CHECK(content(in[0]) == small);
}

TEST_CASE("paths keep their order, directories are expanded in place, duplicates stay",
          "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string z = folder.write("z", "z");
  folder.write("d/b", "b");
  folder.write("d/a", "a");
  const std::string hidden = folder.write(".hidden", "h");
  const input in = open_input({z, folder.path("d"), z, hidden});
  std::string all;
  for (std::size_t i = 0; i < in.size(); ++i) {
    all += content(in[i]);
  }
  CHECK(all == "zabzh");
  CHECK(in[1].name() == folder.path("d/a"));
}

TEST_CASE("no paths are no input", "[input][open_input]") { CHECK(open_input({}).size() == 0); }

TEST_CASE("compressed files are read as what they contain", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string gz = folder.write("d/a.gz", gzip_text);
  const std::string zst = folder.write("d/b.zst", zstd_text);
#if !defined(DUOMAP_HAS_ZLIB) || DUOMAP_HAS_ZLIB
  const input gzip_in = open_input({gz});
  CHECK_FALSE(gzip_in[0].addressable());
  CHECK(gzip_in.stored_bytes() == gzip_text.size());
  CHECK(content(gzip_in[0]) == "some text\n");
  for (const char* const name : {"plain", "A.GZ", "b.Gz"}) {
    CAPTURE(name);
    const std::string path = folder.write(name, gzip_text);
    CHECK(content(open_input({path})[0]) == "some text\n");
    CHECK(content(open_input({path}, input_content::stored)[0]) == gzip_text);
  }
  // A file of binary records is decompressed only if its name has the suffix of a compressed file.
  CHECK(content(open_input({folder.path("plain")}, input_content::records)[0]) == gzip_text);
  CHECK(content(open_input({folder.path("A.GZ")}, input_content::records)[0]) == "some text\n");
#else
  CHECK_THROWS_WITH(open_input({gz}), contains("built without zlib"));
#endif
#if !defined(DUOMAP_HAS_ZSTD) || DUOMAP_HAS_ZSTD
  const input zstd_in = open_input({zst});
  CHECK_FALSE(zstd_in[0].addressable());
  CHECK(content(zstd_in[0]) == "some text\n");
#else
  CHECK_THROWS_WITH(open_input({zst}), contains("built without zstd"));
#endif
}

#if (!defined(DUOMAP_HAS_ZLIB) || DUOMAP_HAS_ZLIB) && (!defined(DUOMAP_HAS_ZSTD) || DUOMAP_HAS_ZSTD)

TEST_CASE("a compressed name without compressed data is seen at once", "[input][open_input]") {
  const test::temporary_folder folder;
  CHECK_THROWS_WITH(open_input({folder.write("empty.gz", "")}), contains("empty.gz': it is empty, not gzip"));
  CHECK_THROWS_WITH(open_input({folder.write("a.gz", "text")}),
                    contains("a.gz': it does not begin like gzip"));
  CHECK_THROWS_WITH(open_input({folder.write("empty.zst", "")}),
                    contains("empty.zst': it is empty, not zstd"));
  CHECK_THROWS_WITH(open_input({folder.write("a.zst", gzip_text)}),
                    contains("a.zst': it does not begin like zstd"));
}

TEST_CASE("what is compressed in a way that is not read is refused by name", "[input][open_input]") {
  const std::vector<std::pair<std::string, const char*>> kinds = {
      {"BZh91AY&SY\x4e\xec", "compressed by bzip2"},
      {std::string("PK\x03\x04\x14\0", 6), "a ZIP archive"},
      {"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
      {"Rar!\x1a\x07\x01", "a RAR archive"},
      {"LZIP\x01", "compressed by lzip"},
      {"\x1f\x9d\x90", "compressed by compress"},
      {"\x02\x21\x4c\x18", "an lz4 file of the legacy format"},
  };
  const test::temporary_folder folder;
  for (const auto& [first, what] : kinds) {
    CAPTURE(what);
    for (const std::string& text : {first, first + large()}) {
      const std::string path = folder.write("file", text);
      CHECK_THROWS_AS(open_input({path}), input_error);
      CHECK_THROWS_WITH(open_input({path}), contains("file': it is " + std::string(what)));
      CHECK((content(open_input({path}, input_content::stored)[0]) == text));
      CHECK((content(open_input({path}, input_content::records)[0]) == text));
    }
    const redirected from(pipe_with(first));
    CHECK_THROWS_WITH(content(open_input({"-"})[0]), contains("standard input: it is " + std::string(what)));
  }
  CHECK(content(open_input({folder.write("name", "BZhang and PK\n")})[0]) == "BZhang and PK\n");
}

TEST_CASE("a truncated compressed file is an error while it is read", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("cut.gz", gzip_text.substr(0, 20));
  const input in = open_input({path});
  CHECK_THROWS_AS(content(in[0]), input_error);
  CHECK_THROWS_WITH(content(in[0]), contains("'" + path + "': it is truncated, it ends at byte 20 "));
}

TEST_CASE("compressed standard input is recognised by its first bytes", "[input][open_input]") {
  for (const std::string_view stored : {gzip_text, zstd_text}) {
    const redirected from(pipe_with(stored));
    CHECK(content(open_input({"-"})[0]) == "some text\n");
  }
  const test::temporary_folder folder;
  const redirected from(open_for_reading(folder.write("file", gzip_text)));
  const input in = open_input({"-"});
  CHECK_FALSE(in[0].addressable());
  CHECK(in[0].stored_size() == gzip_text.size());
  CHECK(content(in[0]) == "some text\n");
}

#endif

namespace duomap::test::core_input_open_input_test {

TEST_CASE("a path that cannot be used is an error that says why", "[input][open_input]") {
  const test::temporary_folder folder;
  const auto refused = [](const std::string& path) -> std::string {
    try {
      static_cast<void>(open_input({path}));
    } catch (const input_error& e) {
      return e.what();
    }
    return "accepted";
  };
  CHECK(refused(folder.path("missing")) ==
        "cannot read '" + folder.path("missing") + "': No such file or directory; check the path");
  CHECK(refused("") == "cannot read '': No such file or directory; the path is empty");
  fs::create_symlink("nowhere", folder.path("broken"));
  CHECK_THAT(refused(folder.path("broken")),
             contains("it is a symbolic link to 'nowhere': repair or remove"));
  fs::create_symlink("loop", folder.path("loop"));
  CHECK_THAT(refused(folder.path("loop")), contains("repair or remove the symbolic links"));
  folder.write("file", "x");
  CHECK_THAT(refused(folder.path("file/below")), contains("Not a directory"));
  fs::create_directories(folder.path("empty/.hidden"));
  CHECK_THAT(refused(folder.path("empty")), contains("the directory holds no file"));
}

TEST_CASE("a socket is not an input", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    WARN("skipped: the temporary folder's path is too long for a socket");
    return;
  }
  path.copy(address.sun_path, path.size());
  const file_descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK_THROWS_WITH(open_input({path}), contains("'" + path + "': it is a socket"));
}

TEST_CASE("all paths are looked at and the first problem is reported", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string good = folder.write("good", small);
  const std::string first = folder.path("first");
  fs::create_directory(folder.path("d"));
  fs::create_symlink("nowhere", folder.path("d/broken"));
  CHECK_THROWS_WITH(open_input({good, first}),
                    contains("'" + first + "': No such file or directory; check the path"));
  CHECK_THROWS_WITH(open_input({good, first, folder.path("second"), good}),
                    contains("'" + first + "'") && contains("check the path (1 more path cannot be read)"));
  CHECK_THROWS_WITH(open_input({folder.path("d"), first, folder.path("second")}),
                    contains("d/broken'") && contains(" (2 more paths cannot be read)"));
}

TEST_CASE("what may not be read is an error before any work", "[input][open_input]") {
  const test::temporary_folder folder;
  fs::permissions(folder.path(), fs::perms::all);
  const std::string file = folder.write("file", small);
  folder.write("closed/file", small);
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0) == 0);
  fs::permissions(file, fs::perms::none);
  fs::permissions(folder.path("closed"), fs::perms::none);
  {
    const unprivileged user;
    if (!user.works) {
      WARN("skipped: root reads everything");
      return;
    }
    for (const char* const name : {"file", "closed", "closed/file", "fifo"}) {
      CAPTURE(name);
      CHECK_THROWS_WITH(open_input({folder.path(name)}), contains("Permission denied; make it "));
    }
    CHECK_THROWS_WITH(open_input({folder.path()}), contains("closed'") && contains("(1 more path"));
  }
  fs::permissions(folder.path("closed"), fs::perms::all);
}

TEST_CASE("a file that vanishes after it was accepted is an error that names it", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "x");
  const input in = open_input({path});
  fs::remove(path);
  CHECK_THROWS_WITH(content(in[0]), contains("'" + path + "': No such file or directory"));
}

TEST_CASE("thousands of small files need few descriptors", "[input][open_input]") {
  constexpr std::size_t count = 3000;
  const test::temporary_folder folder;
  for (std::size_t i = 0; i < count; ++i) {
    folder.write("d" + std::to_string(i % 7) + "/" + std::to_string(i), "x\n");
  }
  const descriptor_limit limit(64);
  const input in = open_input({folder.path()});
  REQUIRE(in.size() == count);
  const test::separator_boundary lines("\n");
  block reused;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    block_reader reader(in[i].open(), lines, 1000, in[i].name());
    while (reader.next(reused)) {
      bytes += reused.size();
    }
  }
  CHECK(bytes == 2 * count);
}

TEST_CASE("many large files are mapped without keeping them open, and the last ones streamed",
          "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", large());
  const descriptor_limit limit(64);
  const input in = open_input(std::vector<std::string>(max_mappings + 10, path));
  REQUIRE(in.size() == max_mappings + 10);
  CHECK(in[max_mappings - 1].addressable());
  CHECK_FALSE(in[max_mappings].addressable());
  CHECK((content(in[max_mappings - 1]) == large()));
  CHECK((content(in[max_mappings]) == large()));
}

TEST_CASE("a file that cannot be mapped is streamed", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "first bytes");
  constexpr std::uint64_t size = std::uint64_t{1} << 30;
  fs::resize_file(path, size);  // a sparse file: takes no space
  const input in = [&] {
    const address_space_limit limit(std::uint64_t{256} << 20);
    return open_input({path});
  }();
  CHECK_FALSE(in[0].addressable());
  CHECK(in[0].stored_size() == size);
  CHECK(next_bytes(*in[0].open(), 11) == "first bytes");
  CHECK(open_input({path})[0].addressable());
}

TEST_CASE("files without a size are read to their end", "[input][open_input]") {
  CHECK_THAT(content(open_input({"/proc/self/status"})[0]), contains("Pid:"));
  CHECK(content(open_input({"/dev/null"})[0]).empty());
}

TEST_CASE("a FIFO is read once", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string fifo = folder.path("fifo");
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const std::string text = large() + small;
  const input in = open_input({fifo});  // does not wait for a writer
  CHECK_FALSE(in[0].stored_size());
  CHECK(in.stored_bytes() == 0);
  std::thread writer = writer_of(fifo, text);
  const std::string read = content(in[0]);
  writer.join();
  CHECK((read == text));
  CHECK_THROWS_AS(in[0].open(), usage_error);
  CHECK_THROWS_WITH(in[0].open(), contains("'" + fifo + "' a second time"));
  CHECK_THROWS_WITH(open_input({fifo, fifo}), contains("'" + fifo + "' twice: it is a pipe"));
}

TEST_CASE("waiting for a FIFO's writer ends when the run is cancelled", "[input][open_input]") {
  const test::temporary_folder folder;
  const std::string fifo = folder.path("fifo");
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const input in = open_input({fifo});
  run_control control;
  std::thread other([&] { control.cancelled = true; });
  char byte = 0;
  CHECK_THROWS_AS(in[0].open(&control)->read(&byte, 1), interrupted);
  other.join();
}

}  // namespace duomap::test::core_input_open_input_test
