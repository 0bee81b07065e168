// SPDX-License-Identifier: Apache-2.0
// Writing table files where the world does not help: full disks, folders that cannot be written, processes that are killed;
// and the checkpoints that are made of table files.
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tables/file/checkpoint.h"
#include "tables/file/table_file.h"
#include "tables/file/table_layout.h"
#include "tests/table_files.h"

namespace plenum::table_file_errors_test {
namespace {

using namespace tables_testing;  // NOLINT(google-build-using-namespace)
using Clock = std::chrono::steady_clock;

constexpr auto kFull = absl::StatusCode::kResourceExhausted;

bool says(const absl::Status& status, const std::string& text) {
  return status.message().find(text) != absl::string_view::npos;
}

// A file size limit, for this process.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  sighandler_t handler_;
  rlimit before_ = {};
};

TEST(TableFileErrors, SizeLimitLeavesTheOldFile) {
  const TestFolder folder;
  const std::string path = folder / "t";
  ASSERT_TRUE(write_table(path, "old", {{"a", random_layer(1000, 1)}}, "").ok());
  const Bytes old = contents(path);
  for (const rlim_t most : {0, 20, 100, 5000, 1'000'000, 1'500'000}) {
    const SizeLimit limit(most);
    const absl::Status status = write_table(path, "new", {{"a", random_layer(3 << 20, 0)}}, "");
    EXPECT_EQ(status.code(), kFull) << status;
    EXPECT_TRUE(says(status, path) && says(status, "are free there")) << status;
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_EQ(contents(path), old);
  }
  const SizeLimit limit(100'000);
  auto writer = TableWriter::create(path, "");
  ASSERT_TRUE(writer.ok() && (*writer)->begin_layer("a").ok());
  const absl::Status status = (*writer)->append(random_layer(3 << 20, 0));
  EXPECT_EQ(status.code(), kFull);
  EXPECT_EQ((*writer)->append(Bytes(1)), status);
  EXPECT_EQ((*writer)->begin_layer("b"), status);
  EXPECT_EQ((*writer)->finish(""), status);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(TableFileErrors, FullDisk) {
  const TestFolder folder;
  // The mount is seen by this thread alone, and ends with it.
  bool mounted = false;
  std::thread([&] {
    mounted = unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
              mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=256k") == 0;
    if (!mounted) return;
    ASSERT_TRUE(write_table(folder / "t", "old", {{"a", random_layer(1000, 1)}}, "").ok());
    const absl::Status status = write_table(folder / "t", "new", {{"a", random_layer(3 << 20, 0)}}, "");
    EXPECT_EQ(status.code(), kFull) << status;
    EXPECT_TRUE(says(status, folder / "t") && says(status, "No space left")) << status;
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_TRUE(read_table(folder / "t").ok());
    EXPECT_TRUE(write_table(folder / "t", "new", {{"a", random_layer(1 << 17, 0)}}, "").ok());
  }).join();
  if (!mounted) GTEST_SKIP() << "no right to mount a small file system";
}

TEST(TableFileErrors, FoldersThatCannotBeWritten) {
  const TestFolder folder;
  write_contents(folder / "file", Bytes(1));
  const absl::Status below = TableWriter::create(folder / "file/t", "").status();
  EXPECT_EQ(below.code(), absl::StatusCode::kPermissionDenied) << below;
  EXPECT_TRUE(says(below, folder / "file/t") && says(below, "Not a directory")) << below;
  EXPECT_EQ(TableWriter::create(folder / "none/t", "").status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(Checkpoint::open(folder / "file/t", "game").ok());
  if (getuid() != 0) {
    chmod(folder.path().c_str(), 0500);
    EXPECT_EQ(TableWriter::create(folder / "t", "").status().code(), absl::StatusCode::kPermissionDenied);
    chmod(folder.path().c_str(), 0700);
  }
}

// A link is written through, whole or not at all, in the folder of what it leads to.
TEST(TableFileErrors, LinksStay) {
  const TestFolder folder;
  fs::create_directories(folder / "far/off");
  fs::create_symlink("far/off/table", folder / "link");
  fs::create_symlink(folder / "link", folder / "link to the link");
  fs::create_directory_symlink("far", folder / "near");
  fs::create_symlink("../table", folder / "far/off/up");  // from where the link is
  write_contents(folder / "far/off/table.part-1-0", Bytes(3));
  int n = 0;
  for (const std::string& link :
       {folder / "link", folder / "link to the link", folder / "link", folder / "near/off/up"}) {
    ++n;
    ASSERT_TRUE(write_table(link, std::to_string(n), {{"a", random_layer(1000, 1)}}, "").ok());
    EXPECT_TRUE(fs::is_symlink(link));
    const std::string target = n < 4 ? folder / "far/off/table" : folder / "far/table";
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(target)));
    EXPECT_EQ((*TableReader::open(target))->header(), std::to_string(n));
    EXPECT_EQ((*TableReader::open(link))->header(), std::to_string(n));
  }
  EXPECT_EQ(folder.files(), 4U);
  EXPECT_FALSE(fs::exists(folder / "far/off/table.part-1-0"));
  const auto checkpoint = Checkpoint::open(folder / "link", "game");
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_TRUE(checkpoint->save("piece", "", {}).ok());
  EXPECT_TRUE(fs::exists(folder / "far/off/table.partial/piece.piece"));
  EXPECT_TRUE(checkpoint->remove_all().ok());
}

TEST(TableFileErrors, LinksThatLeadNowhere) {
  const TestFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  fs::create_symlink("/dev/null", folder / "null");
  fs::create_symlink("none/t", folder / "none");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const auto& [path, words] : std::vector<std::pair<std::string, std::string>>{
           {"a", "leads back to itself"},
           {"null", "is a device"},
           {"none", ""},
           {"pipe", "is a named pipe"},
           {"", "does not name a file"},
       }) {
    const absl::Status status = TableWriter::create(folder / path, "").status();
    EXPECT_TRUE(!status.ok() && says(status, folder / path) && says(status, words)) << status;
    EXPECT_FALSE(TableReader::open(folder / path).ok());
  }
  EXPECT_TRUE(says(Checkpoint::open(folder / "a", "game").status(), "leads back to itself"));
  EXPECT_EQ(folder.files(), 5U);
}

TEST(TableFileErrors, UnfinishedFilesGo) {
  const TestFolder folder;
  const std::string path = folder / "t";
  {
    auto writer = TableWriter::create(path, "h");
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_FALSE(fs::exists(path));
    auto second = TableWriter::create(path, "h");  // the first is alive, and so stays
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(folder.files(), 2U);
    EXPECT_TRUE((*second)->finish("second").ok());
    EXPECT_TRUE((*writer)->finish("first").ok());
  }
  EXPECT_EQ((*TableReader::open(path))->footer(), "first");
  EXPECT_EQ(folder.files(), 1U);
  { EXPECT_TRUE(TableWriter::create(path, "h").ok()); }
  EXPECT_EQ(folder.files(), 1U);
  const std::vector<std::string> abandoned = {"t.part-1-0", "t.part-" + std::to_string(getpid()) + "-99999"};
  const std::vector<std::string> kept = {"t.part-1", "t.part-x-1", "t.part-1-2x", "tt.part-1-0", "t.part-1-"};
  for (const auto& names : {abandoned, kept}) {
    for (const std::string& name : names) write_contents(folder / name, Bytes(3));
  }
  EXPECT_TRUE(write_table(path, "", {}, "").ok());
  EXPECT_EQ(folder.files(), 1 + kept.size());
}

// What the next test runs in a process of its own: writes tables for ever.
TEST(TableFileErrors, DISABLED_WriteUntilKilled) {
  const char* const path = std::getenv("PLENUM_TABLE_TO_WRITE");
  ASSERT_NE(path, nullptr);
  for (std::size_t n = 1;; ++n)
    ASSERT_TRUE(write_table(path, std::to_string(n), {{"a", random_layer(300'000 + n, n)}}, "end").ok());
}

TEST(TableFileErrors, KilledAtAnyTimeLeavesAWholeFileOrNone) {
  const TestFolder folder;
  const std::string path = folder / "t";
  setenv("PLENUM_TABLE_TO_WRITE", path.c_str(), 1);
  std::mt19937_64 random(3);
  int unfinished = 0;
  int whole = 0;
  for (int k = 0; k < 50; ++k) {
    if (k % 5 == 0) fs::remove(path);
    std::string program = "/proc/self/exe";
    std::string filter = "--gtest_filter=TableFileErrors.DISABLED_WriteUntilKilled";
    std::string all = "--gtest_also_run_disabled_tests";
    char* const arguments[] = {program.data(), filter.data(), all.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, program.c_str(), &quiet, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&quiet);
    // From the moment it writes, recognised by its number in the temporary name.
    const auto writes = [&] {
      std::error_code error;
      for (fs::directory_iterator file(folder.path(), error), end; !error && file != end; file.increment(error)) {
        if (file->path().string().starts_with(path + ".part-" + std::to_string(child) + "-")) return true;
      }
      return false;
    };
    const Clock::time_point late = Clock::now() + std::chrono::seconds(30);
    while (!writes() && Clock::now() < late) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (k % 2 == 0 ? 3000 : 40'000)));
    kill(child, SIGKILL);
    int end = 0;
    ASSERT_EQ(waitpid(child, &end, 0), child);
    ASSERT_TRUE(WIFSIGNALED(end));
    unfinished += folder.files() > (fs::exists(path) ? 1U : 0U) ? 1 : 0;
    if (!fs::exists(path)) continue;
    ++whole;
    std::vector<NamedLayer> layers;
    ASSERT_TRUE(read_table(path, &layers).ok());
    const std::size_t n = std::stoul((*TableReader::open(path))->header());
    ASSERT_EQ(layers[0].bytes, random_layer(300'000 + n, n));
  }
  EXPECT_GT(unfinished, 0);
  EXPECT_GT(whole, 0);
  EXPECT_TRUE(write_table(path, "", {}, "").ok());
  EXPECT_EQ(folder.files(), 1U);
}

TEST(CheckpointFolder, KeepsPiecesOfItsGame) {
  const TestFolder folder;
  const std::string path = folder / "game.table";
  const Bytes values = random_layer(100'000, 1);
  const Bytes ranks = random_layer(5000, 2);
  const std::vector<Checkpoint::Layer> layers = {{"values", values}, {"ranks", ranks}};
  {
    const auto checkpoint = Checkpoint::open(path, "a game");
    ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
    EXPECT_TRUE(checkpoint->finished().empty());
    EXPECT_FALSE(checkpoint->load("tier-001"));
    ASSERT_TRUE(checkpoint->save("tier-002", "two", layers).ok());
    ASSERT_TRUE(checkpoint->save("tier-001", "first", {}).ok());
    ASSERT_TRUE(checkpoint->save("tier-001", "one", layers).ok());
    for (const std::string name : {"", "../t", "a/b", ".", "a.piece"})
      EXPECT_FALSE(checkpoint->save(name, "", layers).ok());
  }
  write_contents(path + ".partial/tier-003.piece.part-1-1", Bytes(5));
  {
    const auto checkpoint = Checkpoint::open(path, "a game");
    ASSERT_TRUE(checkpoint.ok());
    EXPECT_FALSE(fs::exists(path + ".partial/tier-003.piece.part-1-1"));
    EXPECT_EQ(checkpoint->finished(), (std::vector<std::string>{"tier-001", "tier-002"}));
    const auto piece = checkpoint->load("tier-001");
    ASSERT_TRUE(piece);
    EXPECT_EQ((*piece)->header(), "one");
    Bytes out(values.size());
    EXPECT_TRUE((*piece)->read(*(*piece)->find_layer("values"), 0, out).ok());
    EXPECT_EQ(out, values);
  }
  write_contents(path + ".partial/notes.txt", Bytes(5));
  const auto other = Checkpoint::open(path, "another game");
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(other->finished().empty());
  EXPECT_FALSE(other->load("tier-001"));
  ASSERT_TRUE(other->save("tier-001", "", layers).ok());
  EXPECT_TRUE(other->remove_all().ok());
  EXPECT_TRUE(fs::exists(path + ".partial/notes.txt"));
  fs::remove(path + ".partial/notes.txt");
  EXPECT_TRUE(other->remove_all().ok());
  EXPECT_TRUE(other->remove_all().ok());
  EXPECT_EQ(folder.files(), 0U);
}

TEST(CheckpointFolder, TakesDamagedPiecesForAbsent) {
  const TestFolder folder;
  const auto checkpoint = Checkpoint::open(folder / "t", "a game");
  ASSERT_TRUE(checkpoint.ok());
  const Bytes values = random_layer(100'000, 1);
  const std::vector<Checkpoint::Layer> layers = {{"values", values}};
  const std::string file = checkpoint->folder() + "/p.piece";
  ASSERT_TRUE(checkpoint->save("p", "", layers).ok());
  const Bytes sound = contents(file);
  for (std::size_t at = 0; at < sound.size(); at += sound.size() / 50) {
    Bytes bytes = sound;
    bytes[at] ^= 16;
    write_contents(file, bytes);
    EXPECT_FALSE(checkpoint->load("p")) << at;
    EXPECT_TRUE(checkpoint->finished().empty());
  }
  write_contents(file, sound);
  EXPECT_TRUE(checkpoint->load("p"));
  Bytes newer = sound;  // of another version of the format
  newer[8] = 77;
  const std::uint64_t checksum = checksum_of(std::span<const std::uint8_t>(newer).first(32));
  std::memcpy(newer.data() + 32, &checksum, sizeof checksum);
  write_contents(file, newer);
  EXPECT_FALSE(checkpoint->load("p"));
  EXPECT_TRUE(checkpoint->finished().empty());
}

}  // namespace
}  // namespace plenum::table_file_errors_test
