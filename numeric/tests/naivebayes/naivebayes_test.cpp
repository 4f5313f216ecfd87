// Tests naive Bayes: rows and categories, counts on all devices, the model and its JSON, classification.
#include "numeric/naivebayes/naivebayes.hpp"

#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/map_chunk.hpp"
#include "numeric/tests/naivebayes/category_tables.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_naivebayes_naivebayes_test {
TEST_CASE("naive bayes: counts of synthetic tables however they are cut and whatever is known",
          "[naivebayes]") {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 30; ++i) {
    const table_shape shape = random_shape(random);
    const std::string text = random_table_text(random, shape, 300);
    const category_rows expected = expected_rows(text, shape);
    const category_list known = some_known(expected, random);
    CHECK(difference(rows_on(device_choice::cpu, text_input(text), shape, known), expected) == "");
    std::vector<std::unique_ptr<source>> stream;
    stream.push_back(std::make_unique<stream_source>(text, "stream"));
    CHECK(difference(rows_on(device_choice::cpu, input(std::move(stream)), shape, category_list()),
                     expected) == "");

    // Maps the same text row by row, as a GPU does, and in chunks of any size.
    category_rows by_row;
    category_rows by_chunk;
    const category_counts task{shape.columns(), known.view()};
    const std::string padded = text + std::string(read_padding, '\n');
    const auto emit_into = [&](category_rows& rows) {
      return [&](byte_view key, std::uint64_t count) {
        add_meaning(rows, key, count, known);
      };
    };
    auto emit_row = emit_into(by_row);
    auto emit_chunk = emit_into(by_chunk);
    for (std::uint64_t begin = 0; begin < text.size();) {
      std::uint64_t end = std::min<std::uint64_t>(text.size(), begin + 1 + random() % 9000);
      while (end < text.size() && text[end - 1] != '\n') ++end;
      const chunk part{padded.data() + begin, end - begin, begin, 0};
      lines{}.for_each_record(part, [&](const line& record) { task.map(record, emit_row); });
      task.map_chunk(part, emit_chunk);
      begin = end;
    }
    CHECK(difference(by_row, expected) == "");
    CHECK(difference(by_chunk, expected) == "");
  }
}

TEST_CASE("naive bayes: more categories than a chunk's table holds", "[naivebayes]") {
  const table_shape shape{{column_role::attribute, column_role::attribute, column_role::label}, 2};
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i) + ",a value that is long " + std::to_string(i % 7000) + ",c" +
            std::to_string(i % 3) + "\n";
  CHECK(difference(rows_on(device_choice::cpu, text_input(text), shape, category_list()),
                   expected_rows(text, shape)) == "");
}

TEST_CASE("naive bayes: devices count alike", "[naivebayes][gpu]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  for (int i = 0; i < 6; ++i) {
    const table_shape shape = random_shape(random);
    const std::string text = random_table_text(random, shape, 20'000);
    const category_rows expected = expected_rows(text, shape);
    const category_list known = some_known(expected, random);
    for (const device_choice device : {device_choice::gpu, device_choice::cpu_gpu})
      CHECK(difference(rows_on(device, text_input(text), shape, known), expected) == "");
  }
}

TEST_CASE("naive bayes: a GPU counts a small table", "[naivebayes][gpu][sanitize]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  const table_shape shape{{column_role::label, column_role::attribute, column_role::attribute}, 0};
  const std::string text = random_table_text(random, shape, 200);
  const category_rows expected = expected_rows(text, shape);
  CHECK(difference(rows_on(device_choice::gpu, text_input(text), shape, some_known(expected, random)),
                   expected) == "");
}

TEST_CASE("naive bayes: probabilities of a table by hand", "[naivebayes]") {
  const naivebayes_model model =
      learn("sunny,hot,no\nsunny,hot,no\nrain,mild,yes\nrain,hot,yes\nrain,?,yes\n", {.alpha = 0.5}).model;
  REQUIRE(model.classes == std::vector<std::string>{"no", "yes"});
  CHECK(model.rows_of_class == std::vector<std::uint64_t>{2, 3});
  CHECK(model.rows() == 5);
  CHECK(model.log_priors().at(1) == Approx(std::log(3.0 / 5)));
  REQUIRE(model.attributes.size() == 2);
  const naivebayes_attribute& weather = model.attributes[0];
  CHECK(weather.name == "1");
  CHECK(weather.categories == std::vector<std::string>{"rain", "sunny"});
  CHECK(weather.rows == std::vector<std::uint64_t>{0, 3, 2, 0});
  CHECK(model.log_likelihood(weather, 0, 0) == Approx(std::log(0.5 / 3)));
  CHECK(model.log_likelihood(weather, 0, 1) == Approx(std::log(3.5 / 4)));
  CHECK(model.attributes[1].categories == std::vector<std::string>{"?", "hot", "mild"});

  const naivebayes_answer answer =
      answer_for(model, "rain,mild,yes\nsunny,hot,no\nfog,snow,yes\nsunny,hot,yes\n");
  REQUIRE(answer.rows.size() == 4);
  CHECK(answer.rows[0].predicted == 1);
  CHECK(answer.rows[1].predicted == 0);
  CHECK(answer.rows[2].predicted == 1);  // decided by the prior alone
  CHECK(answer.rows[2].log_probability == Approx(std::log(3.0 / 5)));
  CHECK(answer.unknown_values == 2);
  CHECK(answer.correct == 3);
  CHECK(answer.accuracy() == 0.75);
}

TEST_CASE("naive bayes: missing values are a category or nothing", "[naivebayes]") {
  const std::string text = "a,c\n?,c\n,c\nb,d\n";
  const naivebayes_model category = learn(text).model;
  CHECK(category.attributes[0].categories == std::vector<std::string>{"", "?", "a", "b"});
  const naivebayes_model ignored = learn(text, {.missing = missing_values::ignore}).model;
  CHECK(ignored.attributes[0].categories == std::vector<std::string>{"a", "b"});
  CHECK(ignored.attributes[0].rows_of_class == std::vector<std::uint64_t>{1, 1});
  CHECK(ignored.rows_of_class == std::vector<std::uint64_t>{3, 1});
  const naivebayes_answer answer = answer_for(ignored, "?,c\nb,?\n");
  CHECK(answer.rows[0].log_probability == Approx(std::log(0.75)));
  CHECK(answer.unknown_values == 0);
  CHECK(answer.unlabelled == 1);
}

TEST_CASE("naive bayes: the logarithm of a probability near 1 keeps its digits", "[naivebayes]") {
  // Each of 60 attributes makes the class twice as probable as the other one.
  std::string yes, no;
  for (int i = 0; i < 60; ++i) {
    yes += "a,";
    no += "b,";
  }
  const naivebayes_answer answer = answer_for(learn(yes + "yes\n" + no + "no\n").model, yes + "yes\n");
  CHECK(answer.rows[0].log_probability == Approx(-0x1p-60));
}

TEST_CASE("naive bayes: degenerate tables", "[naivebayes]") {
  CHECK(learn("a,b\n").model.classes == std::vector<std::string>{"b"});
  CHECK(learn("only a label\n").model.attributes.empty());
  const naivebayes_answer one = answer_for(learn("a,b\n").model, "x,b\ny,z\n");
  CHECK(one.rows[0].log_probability == 0);
  CHECK(one.correct == 1);
  CHECK(one.unknown_labels == 1);
  // Both classes are equally probable, and the first one wins.
  CHECK(answer_for(learn("k,b\nk,a\n").model, "k,a\n").rows[0].predicted == 0);
  CHECK(message_of([] { learn(""); }) == "'table' has no rows");
  CHECK(message_of([] { learn("\n  \r\n"); }) == "'table' has no rows");
  CHECK(message_of([] { learn("a,b\n", {.header = true}); }) == "'table' has no rows");
  CHECK(message_of([] { learn("a,?\nb,\n"); }) == "no row of the table has a label");
  CHECK(learn("a,?\nb,c\n").unlabelled == 1);
  CHECK(message_of([] { learn("a,b\n", {.alpha = 0}); }).find("above 0") != std::string::npos);
}

TEST_CASE("naive bayes: lines that are no rows are named or dropped", "[naivebayes]") {
  CHECK(message_of([] { learn("a,b\r\n\n\"c\",d\ne,f,g\nh\n"); }) ==
        "'table', line 4: 3 fields in 'e,f,g', where the first row has 2; correct it, or have such rows "
        "dropped "
        "(--bad-rows drop)");
  CHECK(
      message_of([] { learn("a,b\n\"c,d\n"); }) ==
      "'table', line 2: column 1: a quote does not end in '\"c,d', or something follows it; a field holds no "
      "line break: take it out, or have such rows dropped (--bad-rows drop)");
  CHECK(message_of([] {
          learn("a,b\n" + std::string(1001, 'x') + ",b\n");
        }).find("'table', line 2: a class and a category have more than 1000 bytes together in 'xxx") == 0);
  CHECK(message_of([] { learn("\"a\n"); }).find("'table', line 1: column 1: a quote") == 0);
  const naivebayes_training dropped = learn("a,b\nc\nd,e\n", {.rows = bad_rows::drop});
  CHECK(dropped.malformed == 1);
  CHECK(dropped.model.rows() == 2);
  CHECK(message_of([&] { answer_for(dropped.model, "a,b\nc,d\ne\n\"f"); }) ==
        "'test', line 3: 1 field in 'e', where the first row has 2; correct it, or have such rows dropped "
        "(--bad-rows drop)");
  const naivebayes_answer answer = answer_for(dropped.model, "a,b\nc\nd,e\n", bad_rows::drop);
  CHECK(answer.malformed == 1);
  CHECK(answer.rows[1].predicted == classified_row::no_class);
  CHECK(answer.judged() == 2);
  CHECK(message_of([&] { answer_for(dropped.model, "a,b,c\n"); }).find("where the training set had 2") !=
        std::string::npos);
}

TEST_CASE("naive bayes: columns by name, number and place", "[naivebayes]") {
  const std::string text = "id;class;colour\n1;x;red\n2;y;\"red\"\n3;x;blue\n";
  const naivebayes_options options{.label = "class", .leave_out = {"1"}, .header = true};
  const naivebayes_model model = learn(text, options).model;
  CHECK(model.delimiter == ';');
  CHECK(model.label == 1);
  REQUIRE(model.attributes.size() == 1);
  CHECK(model.attributes[0].name == "colour");
  CHECK(model.attributes[0].categories == std::vector<std::string>{"blue", "red"});
  // The table may have the label's column or not.
  CHECK(answer_for(model, "id;class;colour\n9;x;blue\n").correct == 1);
  const naivebayes_answer without = answer_for(model, "id;colour\n9;blue\n");
  CHECK(without.unlabelled == 1);
  CHECK(without.rows[0].predicted == 0);
  CHECK(message_of([&] { answer_for(model, "id;class;price\n9;x;blue\n"); }).find("is called 'price'") !=
        std::string::npos);
  CHECK(message_of([&] { learn(text, {.label = "4"}); }).find("from 1 to 3") != std::string::npos);
  CHECK(message_of([&] { learn(text, {.leave_out = {"last"}}); }).find("left out too") != std::string::npos);

  std::vector<std::unique_ptr<source>> sources;
  sources.push_back(std::make_unique<text_source>("a,b\n1,2\n", "one"));
  sources.push_back(std::make_unique<stream_source>("a,b\n3,4\n", "two"));
  sequential caller;
  const input both(std::move(sources));
  CHECK(naivebayes_train(both, caller, {.header = true}).model.rows() == 2);
  CHECK(naivebayes_train(both, caller).model.rows() == 4);
}

TEST_CASE("naive bayes: a model survives JSON and damage is told", "[naivebayes]") {
  std::mt19937_64 random(seed());
  const table_shape shape{{column_role::attribute, column_role::attribute, column_role::label}, 2};
  for (const missing_values missing : {missing_values::category, missing_values::ignore}) {
    const naivebayes_model model =
        learn("x,y,z\n" + random_table_text(random, shape, 200), {.missing = missing, .rows = bad_rows::drop})
            .model;
    const std::string text = to_json(model);
    const naivebayes_model again = naivebayes_model_from_json(text, "model");
    CHECK(to_json(again) == text);
    CHECK(again.classes == model.classes);
    REQUIRE(again.attributes.size() == model.attributes.size());
    for (std::size_t i = 0; i < again.attributes.size(); ++i) {
      CHECK(again.attributes[i].categories == model.attributes[i].categories);
      CHECK(again.attributes[i].rows == model.attributes[i].rows);
      CHECK(again.attributes[i].rows_of_class == model.attributes[i].rows_of_class);
    }
  }
  const std::string good = to_json(learn("a,c\nb,d\n").model);
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    return message_of([&] { static_cast<void>(naivebayes_model_from_json(text, "M")); });
  };
  CHECK(damaged("naive Bayes model", "svm model") == "the model M is JSON of another format");
  CHECK(damaged("\"version\": 1", "\"version\": 2") ==
        "the model M is of version 2; this program reads version 1");
  CHECK(damaged("\"alpha\": 1.0", "\"alpha\": 0") == "the model M has an alpha that is not above 0");
  CHECK(damaged("{\n", "{{").find("the model M is not JSON: parse error at line 1, column 2") == 0);
  CHECK(damaged("\"rows\": 1", "\"rows\": 2").find("does not count every row") != std::string::npos);
  CHECK(damaged("\"rows\": 1", "\"rows\": -1").find("wrong type") != std::string::npos);
  CHECK(damaged("[1,0]", "[1,1]").find("counts more rows") != std::string::npos);
  CHECK(damaged("[1,0]", "[1]").find("a number for each class") != std::string::npos);
  CHECK(damaged("\"class\": \"c\"", "\"class\": \"e\"").find("ascending order") != std::string::npos);
  CHECK(damaged("\"label\"", "\"labels\"") == "the model M has no 'label' where one belongs");
  CHECK(message_of([] { static_cast<void>(to_json(learn("\xFF,c\n").model)); }).find("is not UTF-8") !=
        std::string::npos);
}

TEST_CASE("naive bayes: laws of the counts", "[naivebayes]") {
  std::mt19937_64 random(seed());
  const table_shape shape = random_shape(random);
  const category_list known;
  for (const law_check& check : verify(category_counts{shape.columns(), known.view()},
                                       text_input(random_table_text(random, shape, 200))))
    CHECK(check.holds());
}

}  // namespace duomap::test::numeric_naivebayes_naivebayes_test
