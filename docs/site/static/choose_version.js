// Fills the list of versions from ../versions.js, which all versions share, and shows it when there is a choice.
(function () {
  "use strict";
  const list = document.getElementById("duomap-versions");
  const versions = window.duomapVersions || [];
  for (const version of versions) {
    const selected = version === list.dataset.version;
    list.add(new Option(version, version, selected, selected));
  }
  list.closest("div").hidden = versions.length < 2;
  list.addEventListener("change", function () {
    // Another version may not have this page; each has a first page.
    window.location.href = list.dataset.root + "/" + list.value + "/index.html";
  });
})();
