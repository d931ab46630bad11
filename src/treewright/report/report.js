// What a reader's hand can do in a report: fold, zoom, walk by keys, try a row. The page is complete without it.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const draw = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const read = (id) => JSON.parse($(id).textContent);

  const file = read('tree-file'), values = read('values'), tree = file.tree, nodes = tree.nodes;
  const text = (name) => typeof name === 'string' ? name : new TextDecoder().decode(new Uint8Array(name.bytes));
  const number = (value, digits = 6) => String(Number(value.toPrecision(digits)));
  // Dates are days since 1970 everywhere but where a reader sees them.
  const day = 86400000;
  const dated = (milliseconds, feature) => new Date(milliseconds).toISOString().slice(0, !feature.decimals ? 10 : milliseconds % 1000 === 0 ? 19 : 23);
  const shown = (value, feature, digits) => feature.date ? dated(Math.round(value * day), feature) : number(value, digits);
  const given = (written, feature) => feature.date ? Date.parse(feature.decimals ? `${written}Z` : written) / 1000 / 86400 : Number(written);
  const parent = nodes.map(() => -1);
  nodes.forEach((node, i) => { if (node.split) parent[node.left] = parent[node.right] = i; });
  const depth = nodes.map(() => 0);
  nodes.forEach((node, i) => { if (i > 0) depth[i] = depth[parent[i]] + 1; });
  document.documentElement.classList.add('scripted');
  const untouched = [...document.querySelectorAll('.tree')].map((one) => [one, one.cloneNode(true)]);  // by what this script does to them

  // --- the drawing ---------------------------------------------------------------------------------------------------
  const svg = $('tree'), canvas = svg.parentElement, frame = canvas.parentElement, [boxHeight, rowHeight, leafHeight] = ['box', 'row', 'leaf'].map((part) => Number(svg.dataset[part])), gap = 14, margin = 10;
  const shape = nodes.map((_, i) => $('n' + i)), edge = nodes.map((_, i) => $('e' + i));
  const width = shape.map((g) => Number(g.dataset.w));
  const folded = nodes.map(() => false);
  let place = nodes.map(() => null), zoom = 1, size = [0, 0], chosen = 0, lit = null;
  // On a narrow page that has no room for the levels beside each other, the nodes stand below each other, indented by their depth. Where
  // the chosen node's card has no room beside them, it stands below its box, once that is asked for.
  const card = $('inspector'), indent = 32, stem = 10, narrow = 820, phone = 640;
  let listed = false, carded = false;
  const tall = (i) => nodes[i].split ? boxHeight : leafHeight;

  // Reingold and Tilford, as export/layout.cpp: a subtree is its outline, two stand as near as their outlines allow.
  const outlineOf = (i, offset, width, below, gap) => {
    const half = width[i] / 2;
    if (below(i).length === 0) return [[-half], [half]];
    const [one, other] = below(i), a = outlineOf(one, offset, width, below, gap), b = outlineOf(other, offset, width, below, gap);
    let apart = 0;
    for (let k = 0; k < Math.min(a[1].length, b[0].length); ++k) apart = Math.max(apart, a[1][k] - b[0][k] + gap);
    offset[one] = -apart / 2;
    offset[other] = apart / 2;
    const left = [-half], right = [half];
    for (let k = 0; k < Math.max(a[0].length, b[0].length); ++k) {
      left.push(k < a[0].length ? a[0][k] - apart / 2 : b[0][k] + apart / 2);
      right.push(k < b[1].length ? b[1][k] + apart / 2 : a[1][k] - apart / 2);
    }
    return [left, right];
  };

  // The middle of each box's upper edge is its place, null of a hidden one. Returns the size of all.
  const seenBelow = (i) => nodes[i].split && !folded[i] ? [nodes[i].left, nodes[i].right] : [];
  const inLevels = () => {
    const offset = nodes.map(() => 0), [left, right] = outlineOf(0, offset, width, seenBelow, gap);
    const start = margin - Math.min(...left);
    let deepest = 0;
    nodes.forEach((node, i) => {
      const up = parent[i], hidden = i > 0 && (place[up] === null || folded[up]);
      place[i] = hidden ? null : i === 0 ? [start, margin] : [place[up][0] + offset[i], place[up][1] + rowHeight];
      if (!hidden) deepest = Math.max(deepest, place[i][1]);
    });
    return [Math.max(...right) - Math.min(...left) + 2 * margin, deepest + Math.max(leafHeight, boxHeight + 10) + margin];
  };
  // Nodes in lines: their places, and the size of all. `next`: where what follows node i begins.
  const stacked = (below, width, tall, next = (i, y) => y) => {
    const place = width.map(() => null);
    let y = margin, widest = 0;
    const put = (i, left) => {
      place[i] = [left + width[i] / 2, y];
      widest = Math.max(widest, left + width[i]);
      y = next(i, y + tall(i) + gap);
      below(i).forEach((k) => put(k, left + indent));
    };
    put(0, margin);
    return [place, [widest + margin, y]];
  };
  const joint = (edge, start, from, end, half) => {
    edge.firstElementChild.setAttribute('d', `M${start} ${from}V${half}H${end}`);
    edge.lastElementChild.setAttribute('x', (start + end) / 2);
    edge.lastElementChild.setAttribute('y', half - 4);
  };
  const inLines = () => {
    const inside = frame.classList.contains('carded');
    const [at, all] = stacked(seenBelow, width, tall, (i, y) => {
      if (!inside || i !== chosen) return y;
      card.style.top = `${y * zoom + canvas.offsetTop}px`;
      return y + card.offsetHeight / zoom + gap;
    });
    place = at;
    return all;
  };

  const arrange = () => {
    frame.classList.toggle('listed', listed);
    frame.classList.toggle('tight', listed && frame.clientWidth < phone);
    frame.classList.toggle('carded', carded && listed && frame.clientWidth < phone);
    size = listed ? inLines() : inLevels();
    nodes.forEach((node, i) => {
      const hidden = place[i] === null, up = parent[i];
      shape[i].classList.toggle('gone', hidden);
      if (edge[i]) edge[i].classList.toggle('gone', hidden);
      if (hidden) return;
      const [x, y] = place[i];
      shape[i].setAttribute('transform', `translate(${x} ${y})`);
      const knob = shape[i].querySelector('.knob');
      if (knob) {
        knob.setAttribute('transform', `translate(${listed ? stem - width[i] / 2 : 0} ${boxHeight + (listed ? 5 : 0)})`);
        knob.lastElementChild.textContent = folded[i] ? '+' : '−';
      }
      if (node.split) shape[i].setAttribute('aria-expanded', String(!folded[i]));
      if (!edge[i]) return;
      const [px, top] = place[up], from = top + boxHeight, middle = (from + y) / 2;
      if (listed) return joint(edge[i], px - width[up] / 2 + stem, from, x - width[i] / 2, y + tall(i) / 2);
      edge[i].firstElementChild.setAttribute('d', `M${px} ${from}C${px} ${middle} ${x} ${middle} ${x} ${y}`);
      const side = edge[i].lastElementChild;
      side.setAttribute('x', x + (nodes[up].left === i ? -18 : 18));
      side.setAttribute('y', y - 8);
    });
    resize();
  };
  // No text is smaller than 9 pixels: in a small drawing the letters keep that size, questions are cut to their boxes, and what has no room
  // is left out. The chosen node's text stands in full beside the drawing.
  // The name before a threshold or a set gives way to it.
  const cut = (label, most) => {
    const rule = / (<|in \{)[^<]*$/.exec(label)?.[0] ?? '', kept = rule.length < most - 3 ? rule.length : 0;
    return label.slice(0, most - 1 - kept) + '…' + label.slice(label.length - kept);
  };
  const pen = document.createElement('canvas').getContext('2d');
  const fitted = (label, room) => {
    if (pen.measureText(label).width <= room) return label;
    for (let most = Math.min(label.length - 1, Math.ceil(room / 3)); most >= 2; --most) {
      const short = cut(label, most);
      if (pen.measureText(short).width <= room) return short;
    }
    return '';
  };
  const smallest = 9.01, readable = 0.75, drawn = 0.2, labels = shape.map((g) => g.querySelector('.head').textContent);
  const font = (usual, zoom) => Math.max(usual, smallest / zoom);
  const sized = (svg, size, zoom) => {
    svg.setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
    svg.setAttribute('width', size[0] * zoom);
    svg.setAttribute('height', size[1] * zoom);
    for (const [name, usual] of [['head', 12], ['tail', 11], ['side', 10]]) svg.style.setProperty(`--${name}`, `${font(usual, zoom)}px`);
  };
  const resize = () => {
    sized(svg, size, zoom);
    svg.classList.toggle('far', zoom < readable);
    svg.classList.toggle('map', zoom < drawn);
    const style = getComputedStyle(shape[0].querySelector('.head'));
    pen.font = `${style.fontWeight} 12px ${style.fontFamily}`;
    shape.forEach((g, i) => {
      g.querySelector('.head').textContent = zoom >= 1 ? labels[i] : fitted(labels[i], (width[i] - 4) * 12 / font(12, zoom));
    });
  };
  const zoomTo = (factor) => {
    zoom = factor;
    if (listed) arrange();
    else resize();
  };
  const fit = () => zoomTo(Math.max(0.02, Math.min(listed ? 1 : 1.25, (canvas.clientWidth - 4) / size[0],
    listed ? 1 : Math.max(300, 0.77 * innerHeight) / size[1])));
  const setFolds = (limit) => {
    nodes.forEach((node, i) => { folded[i] = Boolean(node.split) && depth[i] >= limit; });
    arrange();
    // Beside a wide drawing there is no room for the chosen node: it stands below.
    frame.classList.toggle('stacked', !listed && size[0] * 0.9 > frame.clientWidth - 380);
    fit();
  };
  const foldBelow = (limit) => {
    setFolds(limit);
    canvas.scrollTo(0, 0);
  };
  // As many levels as can be read without zooming; two at least.
  const open = () => {
    let limit = Math.min(Math.max(...depth), nodes.length > 41 ? 3 : Infinity);
    listed = false;
    setFolds(limit);
    listed = zoom < readable && frame.clientWidth < narrow;
    if (listed) setFolds(limit);
    while (zoom < readable && --limit >= 2) setFolds(limit);
  };
  const fold = (i, how = !folded[i]) => {
    if (!nodes[i].split) return;
    folded[i] = how;
    arrange();
  };
  const reveal = (i) => {
    for (let up = parent[i]; up >= 0; up = parent[up]) folded[up] = false;
    arrange();
  };

  // --- the chosen node -----------------------------------------------------------------------------------------------
  const choose = (i, focus = true) => {
    for (const [k, here] of [[chosen, false], [i, true]]) {
      shape[k].classList.toggle('chosen', here);
      shape[k].setAttribute('tabindex', here ? '0' : '-1');
      shape[k].setAttribute('aria-selected', String(here));
    }
    chosen = i;
    const source = $('d' + i), title = make('h3');
    title.textContent = question(i);
    const where = make('p', { class: 'where' });
    where.textContent = i === 0 ? 'The root' : `Node ${i}, depth ${depth[i]}, the “${nodes[parent[i]].left === i ? 'yes' : 'no'}” side of “` +
      labels[parent[i]] + '?”';
    card.replaceChildren(where, title, ...source.querySelector('.body').cloneNode(true).childNodes);
    if (listed) arrange();
    if (!focus) return;
    shape[i].focus({ preventScroll: true });
    shape[i].scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  new ResizeObserver(() => { if (listed) arrange(); }).observe(card);
  // As it stands in the drawing where the whole of it is long; the card has all of it.
  const question = (i) => {
    const whole = shape[i].querySelector('title').textContent;
    return nodes[i].split && whole.length > 120 ? labels[i] + '?' : whole;
  };
  const beside = (i, step) => {
    const side = listed ? 1 : 0, level = nodes.map((_, k) => k).filter((k) => place[k] && depth[k] === depth[i]).sort((a, b) => place[a][side] - place[b][side]);
    return level[level.indexOf(i) + step] ?? i;
  };
  const keys = {
    ArrowUp: (i) => choose(Math.max(0, parent[i])),
    ArrowDown: (i) => {
      if (!nodes[i].split) return;
      if (folded[i]) fold(i, false);
      choose(nodes[i].left);
    },
    ArrowLeft: (i) => choose(beside(i, -1)),
    ArrowRight: (i) => choose(beside(i, 1)),
    Home: () => choose(0),
    Enter: (i) => fold(i),
    ' ': (i) => fold(i),
    '+': () => scale(1.2),
    '-': () => scale(1 / 1.2),
  };
  // The middle of what is seen stays there.
  const scale = (factor) => {
    const middle = [canvas.scrollLeft + canvas.clientWidth / 2, canvas.scrollTop + canvas.clientHeight / 2].map((at) => at / zoom);
    zoomTo(Math.min(3, Math.max(0.02, zoom * factor)));
    canvas.scrollTo(middle[0] * zoom - canvas.clientWidth / 2, middle[1] * zoom - canvas.clientHeight / 2);
  };
  svg.setAttribute('role', 'tree');
  svg.setAttribute('aria-label', 'the tree: arrow keys walk, Enter folds');
  shape.forEach((g, i) => {
    g.setAttribute('role', 'treeitem');
    g.setAttribute('aria-level', depth[i] + 1);
    g.setAttribute('tabindex', '-1');
    g.addEventListener('click', () => {
      carded = !(carded && chosen === i);
      choose(i);
    });
    if (!nodes[i].split) return;
    const knob = draw('g', { class: 'knob' }), sign = draw('text', { class: 'sign', y: 4 });
    knob.append(draw('circle', { class: 'fold', r: 8 }), sign);
    knob.addEventListener('click', (event) => {
      event.stopPropagation();
      fold(i);
      choose(i, false);
    });
    g.append(knob);
  });
  svg.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key](chosen);
  });
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    scale(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }, { passive: false });
  // A mouse drags the drawing, as a finger does anyhow.
  canvas.addEventListener('pointerdown', (down) => {
    if (down.pointerType !== 'mouse' || down.target.closest('.node')) return;
    const from = [canvas.scrollLeft + down.clientX, canvas.scrollTop + down.clientY];
    const move = (event) => canvas.scrollTo(from[0] - event.clientX, from[1] - event.clientY);
    addEventListener('pointermove', move);
    addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true });
  });

  // --- one row -------------------------------------------------------------------------------------------------------
  const used = values.features.map((one) => ({ ...tree.features[one.feature], ...one, id: one.feature }));
  const at = new Map(used.map((feature, k) => [feature.id, k]));
  const termValue = (term, row) => {
    const value = row[at.get(term.feature)];
    return value === null ? term.if_missing ?? NaN : term.level === undefined ? value : Number(value === term.level);
  };
  // Of an ordered level its place is compared.
  const levelGoesLeft = (split, value) => split.kind === 'axis' ? value < split.threshold : split.left_levels.includes(value);
  const isFixed = (term) => term.level !== undefined || tree.features[term.feature].kind === 'ordered';
  const goesLeft = (split, row) => {
    if (split.kind === 'hyperplane') {
      let sum = 0;
      for (const term of split.terms) sum += term.weight * termValue(term, row);
      return Number.isNaN(sum) ? split.missing_left : sum < split.threshold;
    }
    const value = row[at.get(split.feature)] ?? null;
    if (value === null) return split.missing_left;
    return levelGoesLeft(split, value);
  };
  const route = (row) => {
    const way = [0];
    while (nodes[way.at(-1)].split) way.push(goesLeft(nodes[way.at(-1)].split, row) ? nodes[way.at(-1)].left : nodes[way.at(-1)].right);
    return way;
  };

  // The nearest point of a leaf, as explain/counterfactual.cpp but by Hildreth's iteration, which is close enough to read, and without
  // changing a level that a hyperplane speaks of (the command "explain" does). What is told leads to the leaf as it is printed: it lies
  // `inside` by a share of the scale, in as many digits as that takes.
  const wayTo = (leaf, row) => {
    for (const inside of [1e-9, 1e-7, 1e-5, 1e-3, 1e-2]) {
      const point = nearestPoint(leaf, row, inside);
      if (point === null) return null;
      for (let digits = 6; digits <= 17; ++digits) {
        const way = told(point, row, digits);
        if (route(way.row).at(-1) === leaf) return { ...way, leaf };
      }
    }
    return null;
  };

  // The conditions of a leaf, or null if what is missing leads elsewhere: half-spaces, the levels allowed, and the least threshold that a
  // feature must stay below.
  const conditions = (leaf, row) => {
    const rules = [], levels = new Map(), below = new Map();
    for (let i = leaf; i > 0; i = parent[i]) {
      const split = nodes[parent[i]].split, left = nodes[parent[i]].left === i;
      const terms = split.terms ?? [{ feature: split.feature, weight: 1 }];
      if (terms.some((term) => Number.isNaN(termValue(term, row)))) {
        if (split.missing_left !== left) return null;
      } else if (!split.terms && tree.features[split.feature].levels) {
        const allowed = levels.get(split.feature) ?? new Set(tree.features[split.feature].levels.keys()), k = at.get(split.feature);
        const unseen = (level) => level !== row[k] && used[k].unseen?.includes(level);
        for (const level of [...allowed]) if (levelGoesLeft(split, level) !== left || unseen(level)) allowed.delete(level);
        levels.set(split.feature, allowed);
      } else if (Math.abs(split.threshold) === Number.MAX_VALUE) {
        // "Has a value?": this one has.
        if (left !== split.threshold > 0) return null;
      } else {
        const a = used.map(() => 0), sign = left ? 1 : -1;
        let b = sign * split.threshold;
        for (const term of terms) {
          const k = at.get(term.feature);
          b -= sign * term.weight * termValue(term, row);
          if (!isFixed(term) && row[k] !== null) a[k] += sign * term.weight * (used[k].scale ?? 1);
        }
        if (split.kind === 'axis' && left) below.set(split.feature, Math.min(below.get(split.feature) ?? Infinity, split.threshold));
        rules.push({ a, b, norm: a.reduce((sum, v) => sum + v * v, 0), left });
      }
    }
    return { rules, levels, below };
  };

  const nearestPoint = (leaf, row, inside) => {
    const found = conditions(leaf, row);
    if (found === null) return null;
    const { rules, levels, below } = found, z = used.map(() => 0), force = rules.map(() => 0);
    if (rules.some((rule) => rule.norm === 0 && (rule.left ? rule.b <= 0 : rule.b < 0))) return null;
    const bounds = rules.map((rule) => rule.b - inside * (Math.sqrt(rule.norm) + Math.abs(rule.b)));
    for (let sweep = 0; sweep < 400; ++sweep) {
      let moved = 0;
      rules.forEach((rule, i) => {
        if (rule.norm === 0) return;
        const excess = rule.a.reduce((sum, v, k) => sum + v * z[k], -bounds[i]) / rule.norm;
        const push = Math.max(-force[i], excess);
        force[i] += push;
        rule.a.forEach((v, k) => { z[k] -= push * v; });
        moved = Math.max(moved, Math.abs(push) * Math.sqrt(rule.norm));
      });
      if (moved < 1e-10) break;
    }
    const far = (rule, i) => rule.norm > 0 && rule.a.reduce((sum, v, k) => sum + v * z[k], -bounds[i]) > 1e-6 * Math.sqrt(rule.norm);
    if (rules.some(far) || [...levels.values()].some((allowed) => allowed.size === 0)) return null;
    return { z, levels, below };
  };

  // Of whole numbers that no hyperplane asks for: the next one that occurs.
  const occurring = (feature, to, step) => {
    if (!feature.steps || nodes.some((node) => node.split?.terms?.some((term) => term.feature === feature.id))) return to;
    const crossed = feature.steps.filter(([threshold]) => step > 0 ? threshold <= to : threshold > to).map((one) => one[step > 0 ? 2 : 1]);
    return crossed.length === 0 ? to : step > 0 ? Math.max(...crossed) : Math.min(...crossed);
  };

  // The changed row and what to say of it.
  const told = ({ z, levels, below }, row, digits) => {
    const changed = [...row], changes = [];
    let squared = 0;
    z.forEach((step, k) => {
      if (Math.abs(step) < 1e-12) return;
      squared += step * step;
      const feature = used[k], limit = below.get(feature.id), exact = row[k] + step * (feature.scale ?? 1), to = occurring(feature, exact, step);
      if (to !== exact) squared += ((to - row[k]) / feature.scale) ** 2 - step * step;
      const near = to === exact && step < 0 && limit - to <= 0.03 * ((feature.scale ?? 1) + row[k] - limit);
      const written = near ? `below ${shown(limit, feature, digits)}` : shown(to, feature, digits);
      changed[k] = near ? to : given(written, feature);
      // A printed threshold above the true one says too little.
      if (near && given(shown(limit, feature, digits), feature) > limit) changed[k] = row[k];
      changes.push(`${text(feature.name)} ${shown(row[k], feature, digits)} → ${written}`);
    });
    for (const [feature, allowed] of levels) {
      const k = at.get(feature);
      if (allowed.has(row[k])) continue;
      squared += 1;
      const names = tree.features[feature].levels;
      const far = tree.features[feature].kind === 'ordered' ? (level) => Math.abs(level - row[k]) : (level) => level;
      changed[k] = [...allowed].reduce((a, b) => far(b) < far(a) ? b : a);
      changes.push(`${text(used[k].name)} ${text(names[row[k]])} → ${text(names[changed[k]])}`);
    }
    return { distance: Math.sqrt(squared), changes, row: changed };
  };
  const fixedLevels = nodes.some((node) => node.split?.terms?.some(isFixed));

  // What a leaf predicts: a class with its color, or a number.
  const { loss } = tree, what = loss === 'survival' ? 'hazard' : 'number', named = (i) => loss ? labels[i] : text(tree.classes[nodes[i].label]);
  const swatch = (i) => loss ? '' : document.querySelectorAll('.legend svg')[nodes[i].label].cloneNode(true);
  const light = (way) => {
    lit?.forEach((i) => { shape[i].classList.remove('lit'); edge[i]?.classList.remove('lit'); });
    lit = way;
    reveal(lit.at(-1));
    lit.forEach((i) => { shape[i].classList.add('lit'); edge[i]?.classList.add('lit'); });
    svg.classList.add('path');
    choose(lit.at(-1), false);
  };
  const answerOf = (i) => make('p', { id: 'answer', class: 'answer' }, swatch(i), make('b', {}, named(i)),
    `: ${$('d' + i).querySelector('.chance').textContent}`);
  // What no training row is like.
  const strange = (row) => used.flatMap((feature, k) => {
    const name = text(feature.name);
    if (row[k] === null) return feature.has_missing ? [] : [`no training row lacks ${name}`];
    if (feature.unseen?.includes(row[k])) return [`no training row has this ${name}`];
    return feature.low > row[k] || feature.high < row[k]
      ? [`${name} is ${shown(feature.low, feature)} to ${shown(feature.high, feature)} in the training rows`] : [];
  });
  const show = (row) => {
    light(route(row));
    const end = lit.at(-1), leaf = nodes[end], odd = strange(row);
    const change = make('p', { id: 'change', class: 'soft' });
    const nearest = (wanted, name) => {
      const best = nodes.map((node, i) => !node.split && wanted(node) ? wayTo(i, row) : null).filter(Boolean).sort((a, b) => a.distance - b.distance)[0];
      return best ? `Nearest ${name}: ${best.changes.join(', ')} makes it ${loss ? named(best.leaf) : `“${named(best.leaf)}”`} (distance ${Number(best.distance.toPrecision(3))}` +
        (used.some((feature) => feature.scale) ? ', in standard deviations; a change of category counts 1)' : ')') +
        (values.contradicted.includes(best.leaf) ? ', which test rows contradict: rows of that leaf turned out otherwise' : '') : '';
    };
    change.textContent = loss
      ? [nearest((one) => one.value < leaf.value, `lower ${what}`), nearest((one) => one.value > leaf.value, `higher ${what}`)].filter(Boolean).join('. ')
      : nearest((node) => node.label !== leaf.label, 'change of label') || 'No change of these values was found that alters the label.';
    if (fixedLevels) change.textContent += ' Categories inside a sum are left as they are; the command “explain” changes them too.';
    $('said').replaceChildren(answerOf(end), ...odd.length > 0 ? [make('p', { class: 'few' }, `Unlike the training rows: ${odd.join('; ')}.`)] : [], change);
  };

  // One question after the other: no value is needed that the way does not ask for.
  const ask = (way) => {
    light(way);
    const i = way.at(-1), answer = (name, to) => make('button', { onclick: () => ask([...way, to]) }, name), { split, left, right } = nodes[i];
    const said = way.slice(0, -1).map((k, n) => make('li', {}, `${question(k)} ${nodes[k].left === way[n + 1] ? 'yes' : 'no'}`));
    const back = said.length === 0 ? [] : [make('button', { onclick: () => ask(way.slice(0, -1)) }, 'Back')];
    const now = split ? [make('p', { class: 'answer' }, make('b', {}, question(i))),
      make('p', {}, ...[answer('Yes', left), answer('No', right), answer('Not known', split.missing_left ? left : right), ...back].flatMap((one) => [one, ' ']))] :
      [answerOf(i), make('p', {}, ...back, ' ', make('button', { onclick: () => ask([0]) }, 'Begin anew'))];
    $('said').replaceChildren(make('ol', { class: 'soft' }, ...said), ...now);
    $('said').querySelector('p button')?.focus({ preventScroll: true });
  };

  const inputs = [];
  const current = () => inputs.map((input, k) => input.value === '' ? null : used[k].levels ? Number(input.value) : given(input.value, used[k]));
  const fields = make('div', { class: 'fields' }), further = make('div', { class: 'fields' });
  // The first split's features first, each hyperplane's in the order of its terms; the others under a fold.
  const asked = nodes.flatMap((node) => node.split ? (node.split.terms ?? [node.split]).map((term) => term.feature) : []);
  const first = new Set([...new Set(asked)].slice(0, used.length > 13 ? 12 : 13));
  used.forEach((feature) => {
    const name = make('span'), label = make('label', {}, name);
    name.textContent = text(feature.name) + (feature.unit ? ` (${text(feature.unit)})` : '');
    let input;
    if (feature.levels) {
      input = make('select', { oninput: () => show(current()) }, make('option', { value: '' }, 'missing'));
      feature.levels.forEach((level, code) => input.append(make('option', { value: code }, text(level))));
      input.value = '0';
      label.append(input);
    } else {
      input = make('input', { type: !feature.date ? 'number' : feature.decimals ? 'datetime-local' : 'date', step: feature.date && !feature.decimals ? 1 : 'any', placeholder: 'missing',
        oninput: () => { if (slider && input.value !== '') slider.value = given(input.value, feature); show(current()); } });
      const slider = feature.high > feature.low ? make('input', { type: 'range', min: feature.low, max: feature.high, step: feature.date && !feature.decimals ? 1 : (feature.high - feature.low) / 500,
        'aria-label': text(feature.name), oninput: () => { input.value = shown(Number(slider.value), feature); show(current()); } }) : null;
      input.value = shown(feature.middle ?? 0, feature);
      if (slider) slider.value = input.value;
      input.slider = slider;
      label.append(input, ...(slider ? [slider] : []));
    }
    inputs.push(input);
    (first.has(feature.id) ? fields : further).append(label);
  });
  const fill = (row) => {
    inputs.forEach((input, k) => {
      input.value = row[k] === null ? '' : used[k].date ? shown(row[k], used[k]) : row[k];
      if (input.slider && row[k] !== null) input.slider.value = row[k];
    });
    show(row);
  };
  const form = $('try');
  if (used.length === 0) form.remove();
  else {
    if (values.rows.length > 0) {
      const pick = make('input', { id: 'pick', type: 'number', min: 0, max: values.rows.length - 1, 'aria-label': 'training row', oninput: () => {
        const row = values.rows[pick.value];
        if (!row) return;
        fill(row.slice(0, -1));
        $('said').append(make('p', { class: 'soft' }, `Row ${pick.value} is ${loss ? row.at(-1) : `“${text(tree.classes[row.at(-1)])}”`}.`));
      } });
      form.append(make('p', { class: 'soft' }, `Training row (0 to ${values.rows.length - 1}): `, pick));
    }
    form.append(fields);
    if (further.childElementCount > 0) {
      const summary = make('summary');
      summary.textContent = `${further.childElementCount} more features`;
      form.append(make('details', {}, summary, further));
    }
    form.append(make('div', { id: 'said', 'aria-live': 'polite' }), make('p', {}, make('button', { onclick: () => show(current()) }, 'Show its path'), ' ',
      ...nodes.some((node) => node.split?.terms) ? [] : [make('button', { onclick: () => ask([0]) }, 'Ask me one by one'), ' '],
      make('button', { onclick: () => { svg.classList.remove('path'); $('said').replaceChildren(); } }, 'Clear')));
  }

  // --- tools ---------------------------------------------------------------------------------------------------------
  const tool = (name, title, action) => $('tools').append(make('button', { title, 'aria-label': name.length > 1 ? name : title, onclick: action }, name));
  const root = document.documentElement;
  tool('Fold', 'Show the upper levels only', () => foldBelow(3));
  tool('Unfold', 'Show all nodes', () => foldBelow(Infinity));
  tool('−', 'Smaller', () => scale(1 / 1.2));
  tool('+', 'Larger', () => scale(1.2));
  tool('Fit', 'Fit to the window', fit);
  tool('Outline', 'List every node as text', () => root.classList.toggle('outlined') && $('outline').scrollIntoView());
  tool('Light/dark', 'Switch the colors', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
  tool('Tree file', 'Save the tree as the file that treewright reads', () => {
    const url = URL.createObjectURL(new Blob([$('tree-file').textContent], { type: 'application/json' }));
    make('a', { href: url, download: 'tree.json' }).click();
    URL.revokeObjectURL(url);
  });

  // --- narrow pages: the lines of a wide table are stacked there, each value behind the head of its column -------------------
  for (const table of document.querySelectorAll('.stacks')) {
    const [heads, ...lines] = [...table.rows].map((line) => [...line.cells]);
    for (const line of lines) line.forEach((cell, k) => { cell.dataset.head = heads[k].textContent; });
  }

  // --- other drawings: in lines where their place has no room for the levels ---------------------------------------------
  const watch = (element, action) => {
    let last = element.clientWidth;
    // A scroll bar is narrower than 24 pixels.
    new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - last) < 24 || matchMedia('print').matches) return;
      last = element.clientWidth;
      action(last);
    }).observe(element);
  };
  for (const [one, levels] of untouched) {
    if (one === svg) continue;
    const holder = one.parentElement, full = ['width', 'height'].map((side) => Number(one.getAttribute(side)));
    const show = (room) => {
      const list = room > 0 && room < Math.min(narrow, full[0]);
      one.replaceChildren(...levels.cloneNode(true).childNodes);
      holder.parentElement.classList.toggle('listed', list);
      if (!list) return sized(one, full, 1);
      const shapes = [...one.querySelectorAll('.node')], edges = [...one.querySelectorAll('.edge')], wide = shapes.map((g) => Number(g.dataset.w));
      const high = (i) => Number(shapes[i].classList.contains('leaf') ? one.dataset.leaf : one.dataset.box), child = (line) => Number(/\d+$/.exec(line.id)[0]);
      const [at, all] = stacked((i) => edges.filter((line) => Number(line.dataset.up) === i).map(child), wide, high);
      shapes.forEach((g, i) => g.setAttribute('transform', `translate(${at[i][0]} ${at[i][1]})`));
      edges.forEach((line) => {
        const i = child(line), up = line.dataset.up;
        joint(line, at[up][0] - wide[up] / 2 + stem, at[up][1] + high(up), at[i][0] - wide[i] / 2, at[i][1] + high(i) / 2);
      });
      sized(one, all, Math.min(1, (room - 4) / all[0]));
    };
    watch(holder, show);
    show(holder.clientWidth);
  }

  // --- trees to choose among: the corners of the trade-off, and those that are nearly as good --------------------------
  for (const mover of document.querySelectorAll('.mover')) {
    const panel = mover.closest('section');
    const trees = [...panel.querySelectorAll('details[data-choice]')];
    const lines = [...panel.querySelectorAll('tr[data-choice]')];
    const marks = [...panel.querySelectorAll('circle[data-choice]')];
    const slider = make('input', { type: 'range', min: 0, max: trees.length - 1, step: 1, 'aria-label': mover.dataset.what });
    const move = (i) => {
      slider.value = i;
      trees.forEach((one, k) => {
        const seen = k === i || panel.classList.contains('together');
        one.open = seen;
        one.classList.toggle('gone', !seen);
        one.classList.toggle('chosen', k === i);
      });
      lines.forEach((line, k) => line.classList.toggle('chosen', k === i));
      marks.forEach((mark) => {
        const here = Number(mark.dataset.choice) === i;
        mark.classList.toggle('chosen', here);
        mark.setAttribute('r', here ? 6 : 4);
      });
    };
    slider.addEventListener('input', () => move(Number(slider.value)));
    for (const one of [...lines, ...marks]) one.addEventListener('click', () => move(Number(one.dataset.choice)));
    // All of them beside each other; a few from the start, where two have room.
    const wide = Math.max(...trees.map((one) => one.querySelector('svg').viewBox.baseVal.width)) + 4;
    panel.style.setProperty('--wide', `${wide}px`);
    const both = make('button', { onclick: () => together(!panel.classList.contains('together')) }, 'Side by side');
    const together = (how) => {
      panel.classList.toggle('together', how);
      both.setAttribute('aria-pressed', how);
      move(Number(slider.value));
    };
    mover.append(make('span', {}, mover.dataset.low), slider, make('span', {}, mover.dataset.high), both);
    together(trees.length <= 6 && panel.clientWidth > 2 * wide + 52);
    move(Math.max(0, lines.findIndex((line) => line.classList.contains('here'))));
  }

  // --- paper ---------------------------------------------------------------------------------------------------------
  // What is under folds is printed, the cards of the nodes are not. Each drawing gives way to one that is made for a sheet: with boxes as
  // narrow as their texts, in levels from above or, where these are too wide, from the left. No letter is smaller than 10 pixels (7.5
  // points): of a tree that has no room so, the upper levels are drawn. A4 and Letter have 660 pixels inside a card.
  const sheet = { width: 660, height: 900, first: 660 }, clear = 0.91, letters = { head: 12, tail: 11, side: 11 };
  const printed = (levels, most) => {
    const one = levels.cloneNode(true), shapes = [...one.querySelectorAll('.node')], edges = [...one.querySelectorAll('.edge')];
    const child = (line) => Number(/\d+$/.exec(line.id)[0]), kids = shapes.map(() => []), level = shapes.map(() => 0);
    edges.forEach((line) => { kids[line.dataset.up].push(child(line)); });
    kids.forEach((all, i) => all.forEach((k) => { level[k] = level[i] + 1; }));
    const isLeaf = (i) => kids[i].length === 0, leaf = Number(levels.dataset.leaf), box = Number(levels.dataset.box);
    const hasBar = (i) => shapes[i].querySelector(':scope > rect:not(.box):not(.tint)') !== null, lead = 13;
    // A form: how high a node is, whether its lines are joined, and whether its picture is shown.
    const picture = (i) => shapes[i].querySelector('.seen'), full = { tall: (i) => isLeaf(i) ? leaf : box, compact: false, pictures: true };
    const low = (i) => 16 + lead + (hasBar(i) ? 14 : 7), bare = { tall: low, compact: true, pictures: false };
    const compact = { tall: (i) => low(i) + (picture(i) ? 29 : 0), compact: true, pictures: true };
    const family = getComputedStyle(svg).fontFamily, tails = (i) => [...shapes[i].querySelectorAll('.tail')].map((text) => text.textContent);
    const long = (text, font) => { pen.font = `${font} ${family}`; return pen.measureText(text).width; };
    const widthOf = (i, form) => Math.max(64, long(shapes[i].querySelector('.head').textContent, `600 ${letters.head}px`) + 10,
      ...(form.compact ? [tails(i).join(', ')] : tails(i)).map((text) => long(text, `${letters.tail}px`) + 10),
      picture(i) && form.pictures ? 112 : 0);

    const fromAbove = (below, wide, form) => {
      const offset = shapes.map(() => 0), [left, right] = outlineOf(0, offset, wide, below, 7), step = box + 32;
      const place = shapes.map(() => null);
      let last = 0;
      const put = (i, x, y) => {
        place[i] = [x, y];
        last = Math.max(last, y + form.tall(i) + (below(i).length < kids[i].length ? 14 : 0));
        below(i).forEach((k) => put(k, x + offset[k], y + step));
      };
      put(0, 1 - Math.min(...left), 1);
      return [place, [Math.max(...right) - Math.min(...left) + 2, last + 1]];
    };
    const fromTheLeft = (below, wide, form) => {
      const columns = [], place = shapes.map(() => null), between = 27;
      shapes.forEach((_, i) => { columns[level[i]] = Math.max(columns[level[i]] ?? 0, wide[i]); });
      const start = columns.map((_, d) => 1 + columns.slice(0, d).reduce((sum, one) => sum + one + between, 0));
      let y = 1, right = 0;
      const put = (i) => {
        const tall = form.tall(i), children = below(i), x = start[level[i]];
        children.forEach(put);
        const middle = children.length > 0 ? children.reduce((sum, k) => sum + place[k][1] + form.tall(k) / 2, 0) / 2 : y + tall / 2;
        place[i] = [x + wide[i] / 2, middle - tall / 2];
        right = Math.max(right, x + wide[i] + (children.length < kids[i].length ? 14 : 0));
        if (children.length === 0) y += tall + 4;
      };
      put(0);
      return [place, [right + 1, y]];
    };

    const draw = ([place, size], zoom, wide, form, aside) => {
      shapes.forEach((g, i) => {
        if (place[i] === null) return g.remove();
        const [x, y] = place[i], w = wide[i], before = Number(g.dataset.w), high = form.tall(i);
        g.setAttribute('transform', `translate(${x} ${y})`);
        for (const rect of g.querySelectorAll(':scope > rect')) {
          const whole = rect.matches('.box, .tint'), part = whole ? w / before : (w - 20) / (before - 20);
          for (const side of ['x', 'width']) rect.setAttribute(side, Number(rect.getAttribute(side)) * part);
          if (whole) rect.setAttribute('height', high);
          else rect.setAttribute('y', high - 10);
        }
        if (form.compact) {
          const [first, ...others] = g.querySelectorAll('.tail');
          first.textContent = tails(i).join(', ');
          first.setAttribute('y', 16 + lead);
          g.querySelector('.head').setAttribute('y', 16);
          for (const other of others) other.remove();
          if (form.pictures) picture(i)?.setAttribute('transform', `translate(-52 ${16 + lead + 5})`);
          else picture(i)?.remove();
        }
        if (kids[i].some((k) => place[k] === null)) {
          const more = document.createElementNS(svg.namespaceURI, 'text');
          more.textContent = '…';
          more.setAttribute('x', aside ? w / 2 + 8 : 0);
          more.setAttribute('y', aside ? high / 2 + 3 : high + 11);
          g.append(more);
        }
      });
      edges.forEach((edge) => {
        const i = child(edge), up = Number(edge.dataset.up);
        if (place[i] === null) return edge.remove();
        const [x, y] = place[i], [px, py] = place[up], yes = kids[up][0] === i, [path, side] = edge.children;
        const a = aside ? [px + wide[up] / 2, py + form.tall(up) / 2] : [px, py + form.tall(up)];
        const b = aside ? [x - wide[i] / 2, y + form.tall(i) / 2] : [x, y], half = aside ? (a[0] + b[0]) / 2 : (a[1] + b[1]) / 2;
        path.setAttribute('d', `M${a}C${aside ? [half, a[1]] : [a[0], half]} ${aside ? [half, b[1]] : [b[0], half]} ${b}`);
        path.setAttribute('stroke-width', Math.min(6, Number(path.getAttribute('stroke-width'))));
        side.setAttribute('x', aside ? b[0] - 13 : x + (yes ? -16 : 16));
        side.setAttribute('y', aside ? b[1] + (yes ? -6 : 14) : y - 5);
      });
      for (const named of one.querySelectorAll('[id]')) named.removeAttribute('id');
      one.removeAttribute('id');
      one.classList.add('printed');
      one.setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
      one.setAttribute('width', size[0] * zoom);
      one.setAttribute('height', size[1] * zoom);
      for (const [name, size] of Object.entries(letters)) one.style.setProperty(`--${name}`, `${size}px`);
      return one;
    };
    const deepest = Math.max(...level);
    for (let limit = deepest; ; --limit) {
      const below = (i) => level[i] < limit ? kids[i] : [];
      for (const [form, way] of [[full, fromAbove], [compact, fromTheLeft], [bare, fromTheLeft]]) {
        const wide = shapes.map((_, i) => level[i] > limit ? 0 : widthOf(i, form)), found = way(below, wide, form);
        const zoom = Math.min(1, sheet.width / found[1][0], most / found[1][1]);
        if (zoom >= clear || limit === 0) return [draw(found, zoom, wide, form, way === fromTheLeft), limit < deepest ? limit : null];
      }
    }
  };
  let opened = [], made = [], narrowed = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')].filter((one) => !one.closest('#outline'));
    opened.forEach((one) => { one.open = true; });
    narrowed = ['listed', 'tight'].flatMap((name) => [...document.querySelectorAll(`.${name}`)].map((one) => [one, name]));
    narrowed.forEach(([one, name]) => one.classList.remove(name));
    made = untouched.flatMap(([one, levels]) => {
      if (one.closest('.gone, #outline')) return [];
      const [drawing, upper] = printed(levels, one === svg ? sheet.first : sheet.height);
      one.after(drawing);
      if (upper === null) return [drawing];
      const note = make('p', { class: 'soft printed' }, `The questions of the upper levels, as many as have room.${one === svg ? ' All of them stand under “The whole tree”.' : ''}`);
      drawing.after(note);
      return [drawing, note];
    });
  });
  addEventListener('afterprint', () => {
    opened.forEach((one) => { one.open = false; });
    made.forEach((one) => one.remove());
    narrowed.forEach(([one, name]) => one.classList.add(name));
  });

  choose(0, false);  // before the tree is fitted to the space that the inspector leaves
  open();
  // Again when the width changes: a notebook may give its frame one only now.
  watch(frame, open);
})();
