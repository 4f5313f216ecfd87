// Searches a text for link tags and lists their offsets by target.
#include "bench/baselines/list_links.hpp"

namespace duomap::apps {

link_lists list_links_in_one_loop(std::string_view html) {
  constexpr std::string_view link = "<a href=\"";
  link_lists links;
  for (std::size_t at = html.find(link); at != std::string_view::npos; at = html.find(link, at + 1)) {
    const std::size_t target = at + link.size();
    links[html.substr(target, html.find('"', target) - target)].push_back(at);
  }
  return links;
}

}  // namespace duomap::apps
