// Draws the report of a run from the JSON in the page. What comes from the run is shown as text only.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const summary = data.summary;
  const byId = id => document.getElementById(id);
  const svgNames = 'http://www.w3.org/2000/svg';

  // ---- words and numbers ----
  function scaled(value, unit, steps) {
    if (!(value > 0)) return '0 ' + unit;
    let step = 0;
    while (step + 1 < steps.length && value >= 999.5) {
      value /= 1000;
      ++step;
    }
    const digits = value >= 100 || (step === 0 && Number.isInteger(value)) ? 0 : value >= 10 ? 1 : 2;
    return value.toFixed(digits) + ' ' + steps[step] + unit;
  }
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  // An input has bytes, or indices.
  const amount = value => data.indices ? scaled(value, 'indices', prefixes.map(prefix => prefix ? prefix + ' ' : '')) : scaled(value, 'B', prefixes);
  const rate = (units, seconds) => seconds > 0 ? amount(units / seconds) + '/s' : '–';
  function duration(seconds) {
    if (seconds === 0) return '0 s';
    if (seconds < 1e-3) return (seconds * 1e6).toFixed(seconds < 1e-5 ? 1 : 0) + ' µs';
    if (seconds < 1) return (seconds * 1e3).toPrecision(3) + ' ms';
    return seconds < 1000 ? seconds.toPrecision(3) + ' s' : Math.round(seconds) + ' s';
  }
  const percent = part => (100 * part).toFixed(1) + ' %';
  const count = (number, noun) => number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');

  function add(parent, name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    parent.appendChild(made);
    return made;
  }
  function svg(parent, name, attributes, text) {
    const made = document.createElementNS(svgNames, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.appendChild(made);
    return made;
  }
  function headings(table, names) {
    const row = add(add(table, 'thead'), 'tr');
    names.forEach(name => { add(row, 'th', name.replace('#', ''), name.endsWith('#') ? 'n' : '').scope = 'col'; });
    return add(table, 'tbody');
  }
  function pairs(table, rows) {
    const body = add(table, 'tbody');
    for (const [name, value] of rows) {
      const row = add(body, 'tr');
      add(row, 'th', name).scope = 'row';
      add(row, 'td', value);
    }
  }
  const list = (id, texts) => texts.forEach(text => add(byId(id), 'li', text));

  // ---- colours, each with a pattern of its own ----
  const shapes = ['plain', 'up', 'dots', 'down', 'across', 'upright'];
  const shapePaths = { up: 'M-2 10L10 -2M-2 2L2 -2M6 10L10 6', down: 'M-2 -2L10 10M-2 6L2 10M6 -2L10 2',
    across: 'M0 2H8M0 6H8', upright: 'M2 0V8M6 0V8', dots: 'M1 2H3M5 6H7' };
  const colour = number => getComputedStyle(document.documentElement).getPropertyValue('--e' + number % 6).trim();
  const variable = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  function svgFill(owner, number, name) {
    const pattern = svg(svg(owner, 'defs', {}), 'pattern', { id: name, width: 8, height: 8, patternUnits: 'userSpaceOnUse' });
    pattern.appendChild(document.createElementNS(svgNames, 'rect'));
    const rest = pattern.firstChild;
    rest.setAttribute('width', 8);
    rest.setAttribute('height', 8);
    rest.style.fill = 'var(--e' + number % 6 + ')';
    const shape = shapes[number % shapes.length];
    if (shape !== 'plain') svg(pattern, 'path', { d: shapePaths[shape], fill: 'none', 'stroke-width': 2 }).style.stroke = 'var(--paper)';
    return 'url(#' + name + ')';
  }

  // ---- head and result ----
  byId('title').textContent = 'duomap: ' + summary.task;
  document.title = 'duomap: ' + summary.task + ', ' + duration(summary.wall_seconds);
  byId('command').textContent = data.command;
  byId('origin').textContent = data.date + ' · duomap ' + summary.duomap;
  list('lines', data.lines);
  byId('preview').textContent = data.preview;
  byId('preview-part').hidden = data.preview === '';
  const reasons = data.explained.concat(summary.notes);
  list('explained', reasons);
  byId('explained-part').hidden = reasons.length === 0;
  byId('shares-part').hidden = summary.executors.length === 0;
  pairs(byId('machine'), data.machine.concat([['duomap', summary.duomap], ['run ended', data.date]]));
  const part = (one, of) => of > 0 ? one / of : 0;

  // ---- shares ----
  {
    const body = headings(byId('shares'), ['executor', 'part of the input', 'done#', 'of it#', 'chunks#', 'speed#', 'busy#', 'waited#']);
    summary.executors.forEach((one, number) => {
      const row = add(body, 'tr');
      add(row, 'th', one.name).scope = 'row';
      const share = part(one.units, summary.units);
      const bar = svg(add(add(row, 'td'), 'div', undefined, 'bar'), 'svg', { viewBox: '0 0 220 18', preserveAspectRatio: 'none',
        role: 'img', 'aria-label': percent(share) + ' done' });
      svg(bar, 'rect', { width: 220 * Math.min(share, 1), height: 18, fill: svgFill(bar, number, 'bar' + number) });
      const available = summary.map_seconds * one.workers;
      for (const text of [percent(share), amount(one.units),
        one.chunks.toLocaleString('en'), one.seconds_per_unit > 0 ? amount(1 / one.seconds_per_unit) + '/s' : '–',
        percent(part(one.busy_seconds, available)), duration(one.wait_seconds)]) add(row, 'td', text, 'n');
    });
    // Why the parts are as they are: what speeds alone would make of them, and what an executor missed.
    const working = summary.executors.filter(one => one.units > 0 && one.seconds_per_unit > 0);
    const together = working.reduce((sum, one) => sum + 1 / one.seconds_per_unit, 0);
    const why = [];
    if (working.length > 1) {
      why.push('By these speeds alone, ' + working.map(one => one.name + ' would do ' + percent(1 / one.seconds_per_unit / together)).join(', and ') + ' of the input.');
    }
    for (const one of summary.executors) {
      if (one.start_seconds > 0) why.push(one.name + ' took ' + duration(one.start_seconds) + ' to start.');
      if (one.units === 0 && one.reason) why.push(one.name + ' got nothing: ' + one.reason + '.');
    }
    // A link that is busy all the time is what a GPU cannot go beyond; workers that would slow its copies down wait.
    const copied = one => part(one.copy_seconds, summary.map_seconds);
    const copying = summary.executors.filter(one => copied(one) > 0.8);
    for (const one of copying) {
      why.push('Copies to ' + one.name + ' took ' + percent(copied(one)) + ' of the time: its link is the limit.');
    }
    for (const one of working) {
      const waited = part(one.wait_seconds, summary.map_seconds * one.workers);
      if (copying.length > 0 && one.copy_seconds === 0 && waited > 0.25) {
        why.push('Workers of ' + one.name + ' waited ' + percent(waited) +
          ' of the time, because the run is faster with fewer of them: they slow copies down.');
      }
    }
    why.push(...summary.notes.filter(note => note.startsWith('no GPU used')));
    byId('why').textContent = why.join(' ');
  }

  // ---- the account of a start, and all numbers ----
  byId('account-part').hidden = !data.has_account && !data.step_account;
  if (data.has_account) {
    const account = summary.gpu_account;
    pairs(byId('account'), [
      ['time that the runs before this one have taken', duration(account.spent_seconds)],
      ['cost of starting a GPU in this process, at most', duration(account.start_seconds)],
      ['time that a GPU would have saved in the runs without it', duration(account.missed_seconds)],
      ['time that it has saved in the runs with it', duration(account.saved_seconds)],
      ['time that it is expected to save in this run', duration(account.coming_seconds)],
      ['time that it saved an earlier process with this task', account.expected_seconds > 0 ? duration(account.expected_seconds) : 'not known'],
      ['started', account.ready ? 'before this run' : account.started ? 'during this run' : 'not yet']]);
  }
  if (data.step_account) {
    const account = data.step_account;
    pairs(byId('account'), [
      ['cost of starting a GPU and bringing the data there', duration(account.start_seconds)],
      ['time that the steps without a GPU took', duration(account.pool_seconds)],
      ['started during this run', account.started ? 'yes' : 'no']]);
  }
  {
    const rows = [];
    const collect = (value, name) => {
      if (value !== null && typeof value === 'object') {
        for (const [key, one] of Object.entries(value)) collect(one, name ? name + '.' + key : key);
      } else {
        rows.push([name, String(value)]);
      }
    };
    const { executors, ...others } = summary;
    collect(others, '');
    pairs(byId('numbers'), rows);
    if (executors.length > 0) {
      const body = headings(byId('executors'), ['executors', ...executors.map((_, number) => number + '#')]);
      for (const key of Object.keys(executors[0])) {
        const row = add(body, 'tr');
        add(row, 'th', key).scope = 'row';
        executors.forEach(one => add(row, 'td', String(one[key]), 'n'));
      }
    }
  }

  // ---- speed and share over time ----
  function areas(owner, relative) {
    const width = 560, height = 220, left = 64, bottom = 24, top = 8;
    const parts = data.speed.units.length > 0 ? data.speed.units[0].length : 0;
    const sums = Array.from({ length: parts }, (_, at) => data.speed.units.reduce((sum, one) => sum + one[at], 0));
    const step = relative ? 0.25 : tick(Math.max(...sums) / data.speed.part_seconds, 4);
    const steps = relative ? 4 : Math.ceil(Math.max(...sums) / data.speed.part_seconds / step);
    const largest = step * steps * data.speed.part_seconds;
    const y = (value, sum) => {
      const of = relative ? part(value, sum) : part(value, largest);
      return top + (height - bottom - top) * (1 - of);
    };
    const x = at => left + (width - left - 8) * at / parts;
    const name = relative ? 'share' : 'speed';
    const words = summary.executors.map((one, number) => one.name + ' ' + amount(data.speed.units[number].reduce((a, b) => a + b, 0)));
    const drawing = svg(owner, 'svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img',
      'aria-label': (relative ? 'Share' : 'Speed') + ' over ' + duration(data.timeline.seconds) + '; in all ' + words.join(', ') });
    for (let mark = 0; mark <= steps; ++mark) {
      const at = top + (height - bottom - top) * (1 - mark / steps);
      svg(drawing, 'line', { x1: left, x2: width - 8, y1: at, y2: at });
      svg(drawing, 'text', { x: left - 6, y: at + 4, 'text-anchor': 'end' },
        relative ? 25 * mark + ' %' : amount(step * mark) + '/s');
    }
    const below = new Array(parts).fill(0);
    data.speed.units.forEach((units, number) => {
      const above = units.map((value, at) => below[at] + value);
      let path = '';
      above.forEach((value, at) => { path += (at ? 'L' : 'M') + x(at).toFixed(1) + ' ' + y(value, sums[at]).toFixed(1) + 'L' + x(at + 1).toFixed(1) + ' ' + y(value, sums[at]).toFixed(1); });
      for (let at = parts - 1; at >= 0; --at) path += 'L' + x(at + 1).toFixed(1) + ' ' + y(below[at], sums[at]).toFixed(1) + 'L' + x(at).toFixed(1) + ' ' + y(below[at], sums[at]).toFixed(1);
      const area = svg(drawing, 'path', { d: path + 'Z', fill: svgFill(drawing, number, name + number) });
      svg(area, 'title', {}, summary.executors[number].name);
      above.forEach((value, at) => { below[at] = value; });
    });
    for (const mark of [0, 0.5, 1]) {
      svg(drawing, 'text', { x: x(parts * mark), y: height - 6, 'text-anchor': mark === 0 ? 'start' : mark === 1 ? 'end' : 'middle' },
        duration(data.timeline.seconds * mark));
    }
  }
  const anySpeed = data.speed.units.some(units => units.some(one => one > 0));
  byId('speed-part').hidden = !anySpeed;
  if (anySpeed) {
    summary.executors.forEach((one, number) => {
      const item = add(byId('speed-legend'), 'li');
      const sample = svg(item, 'svg', { viewBox: '0 0 34 14', 'aria-hidden': 'true' });
      svg(sample, 'rect', { width: 34, height: 14, fill: svgFill(sample, number, 'key' + number) });
      item.appendChild(document.createTextNode(one.name));
    });
    areas(byId('speed'), false);
    areas(byId('share'), true);
  }

  // ---- timeline ----
  const kinds = data.timeline.kinds;
  const lanes = data.timeline.lanes.map(one => {
    const size = one.spans.length / 6;
    const made = { name: one.name, size, what: new Uint8Array(size), begin: new Float64Array(size), end: new Float64Array(size),
      busy: new Float64Array(size), events: new Float64Array(size), units: new Float64Array(size), found: new Uint8Array(size) };
    let before = 0;
    for (let i = 0; i < size; ++i) {
      const at = 6 * i;
      before += one.spans[at + 1];
      made.what[i] = one.spans[at];
      made.begin[i] = before / 1e6;
      made.end[i] = (before + one.spans[at + 2]) / 1e6;
      made.busy[i] = one.spans[at + 3] / 1e6;
      made.events[i] = one.spans[at + 4];
      made.units[i] = one.spans[at + 5];
    }
    return made;
  });
  const total = Math.max(data.timeline.seconds, 1e-6);
  const some = lanes.some(one => one.size > 0);
  byId('timeline-parts').hidden = !some;
  byId('no-timeline').hidden = some;
  document.documentElement.dataset.ready = 'yes';
  if (!some) return;

  const canvas = byId('timeline');
  const picture = canvas.getContext('2d');
  const tip = byId('tip');
  const view = { begin: 0, end: total };
  const axis = 22;
  let width = 0, labels = 0, laneHeight = 0, fills = [], inks = {};
  let focus = null, wanted = '', scheduled = false;

  // A kind's colour and pattern come from its name, so that they are the same in all reports.
  const known = ['map', 'copy', 'submit', 'wait', 'commit', 'finish', 'start', 'merge', 'first centres', 'means', 'labels'];
  const numberOf = kind => known.indexOf(kind) >= 0 ? known.indexOf(kind) : known.length;
  const looks = [[0, 'plain'], [1, 'up'], [2, 'dots'], [null, 'dots'], [3, 'down'], [4, 'across'], [5, 'upright'],
    [3, 'plain'], [4, 'plain'], [2, 'across'], [2, 'plain'], [5, 'plain']];
  function fillOf(context, kind) {
    const [number, shape] = looks[numberOf(kind)];
    const back = number === null ? inks.panel : colour(number);
    if (shape === 'plain') return back;
    const tile = document.createElement('canvas');
    tile.width = tile.height = 8;
    const painter = tile.getContext('2d');
    painter.fillStyle = back;
    painter.fillRect(0, 0, 8, 8);
    painter.strokeStyle = number === null ? inks.soft : inks.paper;
    painter.lineWidth = number === null ? 1 : 2;
    painter.stroke(new Path2D(shapePaths[shape]));
    return context.createPattern(tile, 'repeat');
  }

  function measure() {
    inks = { paper: variable('paper'), ink: variable('ink'), soft: variable('soft'), line: variable('line'), panel: variable('panel'), focus: variable('focus') };
    const scale = window.devicePixelRatio || 1;
    width = Math.max(canvas.parentNode.clientWidth - 2, 200);
    laneHeight = Math.max(8, Math.min(26, Math.floor(1400 / lanes.length)));
    const height = axis + laneHeight * lanes.length;
    canvas.style.height = height + 2 + 'px';
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    picture.setTransform(scale, 0, 0, scale, 0, 0);
    picture.font = '12px system-ui, sans-serif';
    labels = Math.min(width * 0.3, Math.max(...lanes.map(one => picture.measureText(one.name).width)) + 12);
    fills = kinds.map(kind => fillOf(picture, kind));
    byId('legend').replaceChildren();
    kinds.forEach(kind => {
      const item = add(byId('legend'), 'li');
      const sample = add(item, 'canvas');
      sample.width = 34;
      sample.height = 14;
      sample.setAttribute('aria-hidden', 'true');
      const painter = sample.getContext('2d');
      painter.fillStyle = fillOf(painter, kind);
      painter.fillRect(0, 0, 34, 14);
      item.appendChild(document.createTextNode(kind));
    });
  }

  const toX = time => labels + (time - view.begin) / (view.end - view.begin) * (width - labels);
  const toTime = x => view.begin + (x - labels) / (width - labels) * (view.end - view.begin);
  // The first span of a lane that ends at `time` or later.
  function firstFrom(lane, time) {
    let low = 0, high = lane.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.end[middle] < time) low = middle + 1; else high = middle;
    }
    return low;
  }
  // The distance between marks, 1, 2 or 5 of a power of ten, that are at most `most`.
  function tick(span, most) {
    const rough = span / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find(step => step * power >= rough);
  }

  function drawLane(lane, top, height) {
    let right = -1, last = -1;
    const stop = view.end;
    for (let i = firstFrom(lane, view.begin); i < lane.size && lane.begin[i] <= stop; ++i) {
      const from = Math.max(toX(lane.begin[i]), labels), to = Math.min(toX(lane.end[i]), width);
      // What ends in the pixel that was drawn last can add nothing but another kind.
      if (to <= right && (lane.what[i] === last || to - from < 0.5)) continue;
      const length = Math.max(to - from, 1);
      right = Math.floor(from + length);
      last = lane.what[i];
      const spent = lane.end[i] - lane.begin[i];
      const full = lane.events[i] > 1 && spent > 0 ? Math.max(0.35, Math.min(1, lane.busy[i] / spent)) : 1;
      picture.globalAlpha = wanted && !lane.found[i] ? 0.15 : 1;
      picture.fillStyle = fills[lane.what[i]];
      picture.fillRect(from, top + height * (1 - full), length, height * full);
      if (length > 44 && height >= 14) {
        const text = kinds[lane.what[i]] + (lane.events[i] > 1 ? ' × ' + lane.events[i] : '') + (lane.units[i] > 0 && length > 110 ? ', ' + amount(lane.units[i]) : '');
        const wide = picture.measureText(text).width;
        if (wide + 10 < length) {
          picture.fillStyle = inks.paper;
          picture.fillRect(from + 3, top + 2, wide + 4, height - 4);
          picture.fillStyle = inks.ink;
          picture.fillText(text, from + 5, top + height / 2 + 4);
        }
      }
    }
    picture.globalAlpha = 1;
  }

  function draw() {
    scheduled = false;
    picture.fillStyle = inks.paper;
    picture.fillRect(0, 0, width, axis + laneHeight * lanes.length);
    const step = tick(view.end - view.begin, Math.max(2, (width - labels) / 90));
    picture.strokeStyle = inks.line;
    picture.lineWidth = 1;
    for (let time = Math.ceil(view.begin / step) * step; time <= view.end; time += step) {
      const x = Math.round(toX(time)) + 0.5;
      picture.beginPath();
      picture.moveTo(x, axis - 5);
      picture.lineTo(x, axis + laneHeight * lanes.length);
      picture.stroke();
      picture.fillStyle = inks.soft;
      const unit = step < 1e-3 ? [1e6, ' µs'] : step < 1 ? [1e3, ' ms'] : [1, ' s'];
      if (x < width - 50) picture.fillText(Math.round(time * unit[0]).toLocaleString('en') + unit[1], x + 3, 13);
    }
    const gap = laneHeight >= 14 ? 3 : 1;
    lanes.forEach((lane, number) => {
      const top = axis + number * laneHeight;
      drawLane(lane, top + gap, laneHeight - 2 * gap);
      picture.fillStyle = inks.paper;
      picture.fillRect(0, top, labels, laneHeight);
      if (laneHeight >= 12 || number % 2 === 0) {
        picture.fillStyle = inks.ink;
        picture.fillText(lane.name, 4, top + laneHeight / 2 + 4, labels - 8);
      }
    });
    if (focus) {
      const lane = lanes[focus.lane];
      const from = Math.max(toX(lane.begin[focus.at]), labels), to = Math.min(toX(lane.end[focus.at]), width);
      if (to >= labels && from <= width) {
        picture.strokeStyle = inks.focus;
        picture.lineWidth = 3;
        picture.strokeRect(from - 1, axis + focus.lane * laneHeight + 1, Math.max(to - from, 2) + 2, laneHeight - 2);
      }
    }
  }
  function redraw() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }

  function words(number, at) {
    const lane = lanes[number];
    const spent = lane.end[at] - lane.begin[at];
    const kind = kinds[lane.what[at]];
    const lines = [lane.name, lane.events[at] > 1
      ? count(lane.events[at], 'event') + ' together, most of it ' + kind + ' (' + percent(part(lane.busy[at], spent)) + ')'
      : kind];
    lines.push('from ' + duration(lane.begin[at]) + ', for ' + duration(spent));
    if (lane.units[at] > 0) lines.push(amount(lane.units[at]) + ', ' + rate(lane.units[at], spent));
    return lines;
  }

  // ---- zoom and moves ----
  const shortest = Math.min(total, 5e-6);
  function show(begin, end) {
    const length = Math.min(Math.max(end - begin, shortest), total);
    const from = Math.min(Math.max(begin, 0), total - length);
    const same = from === view.begin && from + length === view.end;
    view.begin = from;
    view.end = from + length;
    canvas.dataset.begin = view.begin;
    canvas.dataset.end = view.end;
    redraw();
    return !same;
  }
  function zoom(factor, around) {
    const at = around === undefined ? (view.begin + view.end) / 2 : around;
    return show(at - (at - view.begin) * factor, at + (view.end - at) * factor);
  }
  const move = part_of_view => show(view.begin + (view.end - view.begin) * part_of_view, view.end + (view.end - view.begin) * part_of_view);
  function focusOn(number, at) {
    focus = { lane: number, at };
    const lane = lanes[number];
    const middle = (lane.begin[at] + lane.end[at]) / 2;
    const length = view.end - view.begin;
    if (middle < view.begin || middle > view.end) show(middle - length / 2, middle + length / 2);
    byId('event').textContent = words(number, at).join('; ');
    redraw();
  }
  function step(by) {
    if (!focus) return focusOn(0, Math.min(firstFrom(lanes[0], view.begin), lanes[0].size - 1));
    focusOn(focus.lane, Math.min(Math.max(focus.at + by, 0), lanes[focus.lane].size - 1));
  }
  function change(by) {
    if (!focus) return step(0);
    const lane = lanes[focus.lane];
    const next = Math.min(Math.max(focus.lane + by, 0), lanes.length - 1);
    focusOn(next, Math.min(firstFrom(lanes[next], lane.begin[focus.at]), lanes[next].size - 1));
  }

  const keys = {
    '+': () => zoom(0.5, focus ? (lanes[focus.lane].begin[focus.at] + lanes[focus.lane].end[focus.at]) / 2 : undefined),
    '-': () => zoom(2), '0': () => show(0, total),
    ArrowRight: event => event.shiftKey ? move(0.25) : step(1), ArrowLeft: event => event.shiftKey ? move(-0.25) : step(-1),
    ArrowDown: () => change(1), ArrowUp: () => change(-1),
    Home: () => focusOn(focus ? focus.lane : 0, 0), End: () => { const lane = focus ? focus.lane : 0; focusOn(lane, lanes[lane].size - 1); },
    Escape: () => { focus = null; byId('event').textContent = ''; redraw(); },
  };
  keys['='] = keys['+'];
  canvas.addEventListener('keydown', event => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });
  canvas.addEventListener('wheel', event => {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const changed = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? move(event.deltaX / 1000)
      : zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), Math.max(toTime(x), view.begin));
    // At its ends the page scrolls as it does elsewhere.
    if (changed) event.preventDefault();
  }, { passive: false });

  let dragged = null;
  canvas.addEventListener('pointerdown', event => {
    dragged = { x: event.clientX, begin: view.begin, end: view.end, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', event => {
    const clicked = dragged && !dragged.moved;
    dragged = null;
    const hit = clicked && spanAt(event);
    if (hit) focusOn(hit.lane, hit.at);
  });
  function spanAt(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left, number = Math.floor((event.clientY - box.top - axis) / laneHeight);
    const lane = lanes[number];
    if (!lane || lane.size === 0 || x < labels) return null;
    const reach = (view.end - view.begin) / (width - labels) * 2;
    const time = toTime(x);
    let best = null, distance = reach;
    for (let at = firstFrom(lane, time - reach); at < lane.size && lane.begin[at] <= time + reach; ++at) {
      const away = Math.max(lane.begin[at] - time, time - lane.end[at], 0);
      if (away < distance) {
        best = at;
        distance = away;
      }
      if (away === 0) break;
    }
    return best === null ? null : { lane: number, at: best };
  }
  canvas.addEventListener('pointermove', event => {
    if (dragged) {
      const by = (event.clientX - dragged.x) / (width - labels) * (dragged.end - dragged.begin);
      dragged.moved = dragged.moved || Math.abs(event.clientX - dragged.x) > 3;
      if (dragged.moved) show(dragged.begin - by, dragged.end - by);
    }
    const hit = spanAt(event);
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = words(hit.lane, hit.at).join('\n');
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    tip.style.left = Math.min(x + 14, width - 200) + 'px';
    tip.style.top = event.clientY - box.top + 18 + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  byId('in').addEventListener('click', () => zoom(0.5));
  byId('out').addEventListener('click', () => zoom(2));
  byId('all').addEventListener('click', () => show(0, total));

  // ---- search ----
  let matches = [], at_match = -1;
  function search(text) {
    wanted = text.trim().toLowerCase();
    const wantedWords = wanted.split(/\s+/).filter(Boolean);
    let least = 0;
    const plain = wantedWords.filter(word => {
      const longer = /^>(\d+(?:\.\d+)?)(us|µs|ms|s)$/.exec(word);
      if (longer) least = Number(longer[1]) * { us: 1e-6, 'µs': 1e-6, ms: 1e-3, s: 1 }[longer[2]];
      return !longer;
    });
    matches = [];
    at_match = -1;
    lanes.forEach((lane, number) => {
      const fits = kinds.map(kind => plain.every(word => (lane.name + ' ' + kind).toLowerCase().includes(word)));
      for (let i = 0; i < lane.size; ++i) {
        lane.found[i] = wanted && fits[lane.what[i]] && lane.end[i] - lane.begin[i] > least - 1e-12 ? 1 : 0;
        if (lane.found[i]) matches.push([number, i]);
      }
    });
    byId('found').textContent = wanted ? count(matches.length, 'span') : '';
    redraw();
  }
  function nextMatch(by) {
    if (matches.length === 0) return;
    at_match = at_match < 0 ? (by > 0 ? 0 : matches.length - 1) : (at_match + by + matches.length) % matches.length;
    focusOn(...matches[at_match]);
    byId('found').textContent = (at_match + 1).toLocaleString('en') + ' of ' + matches.length.toLocaleString('en');
  }
  byId('search').addEventListener('input', event => search(event.target.value));
  byId('search').addEventListener('keydown', event => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    nextMatch(event.shiftKey ? -1 : 1);
  });
  byId('next').addEventListener('click', () => nextMatch(1));
  byId('previous').addEventListener('click', () => nextMatch(-1));

  // ---- the same as a table ----
  {
    const body = headings(byId('lanes'), ['lane', 'what', 'events#', 'time#', 'of the run#', 'amount#', 'speed#']);
    for (const lane of lanes) {
      kinds.forEach((kind, number) => {
        let events = 0, time = 0, units = 0;
        for (let i = 0; i < lane.size; ++i) {
          if (lane.what[i] !== number) continue;
          events += lane.events[i];
          time += lane.busy[i];
          units += lane.units[i];
        }
        if (events === 0) return;
        const row = add(body, 'tr');
        add(row, 'th', lane.name).scope = 'row';
        add(row, 'td', kind);
        for (const text of [events.toLocaleString('en'), duration(time), percent(part(time, total)), units > 0 ? amount(units) : '–',
          units > 0 ? rate(units, time) : '–']) add(row, 'td', text, 'n');
      });
    }
  }

  const again = () => { measure(); draw(); };
  window.addEventListener('resize', again);
  window.addEventListener('beforeprint', () => { byId('all-numbers').open = true; again(); });
  window.addEventListener('afterprint', again);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  window.matchMedia('print').addEventListener('change', again);
  measure();
  show(0, total);
  draw();
})();
