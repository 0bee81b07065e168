// SPDX-License-Identifier: Apache-2.0
// Plots, by D3's scales and axes. Each has a table with the same numbers for those who do not see it.
import {html, svg} from './dom.js';
import {count} from './words.js';

const d3 = () => window.d3;

function axis(group, made) {
  d3().select(group).call(made);
  return group;
}

function numbers(caption, head, rows) {
  return html('details', {}, html('summary', {}, 'The numbers'),
    html('table', {}, html('caption', {}, caption), html('thead', {}, html('tr', {}, head.map((h) => html('th', {scope: 'col'}, h)))),
      html('tbody', {}, rows.map((row) => html('tr', {}, row.map((cell, k) => k === 0 ? html('th', {scope: 'row'}, String(cell)) : html('td', {}, typeof cell === 'number' ? count(cell) : cell)))))));
}

// The value along the line so far: first's margin after each ply.
// `at`: the ply that is looked at.
export function linePlot(figure, margins, at) {
  const known = margins.map((m, k) => [k, m]).filter(([, m]) => m !== null);
  if (known.length < 2) {
    figure.replaceChildren();
    return;
  }
  const [width, height, left, bottom] = [320, 110, 34, 20];
  const most = Math.max(1, ...known.map(([, m]) => Math.abs(m)));
  const x = d3().scaleLinear().domain([0, Math.max(1, margins.length - 1)]).range([left, width - 8]);
  const y = d3().scaleLinear().domain([-most, most]).nice().range([height - bottom, 8]);
  const plot = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `First's margin along the line: ${known.map(([, m]) => m).join(', ')}`},
    axis(svg('g', {transform: `translate(0 ${height - bottom})`}), d3().axisBottom(x).ticks(Math.min(8, margins.length - 1)).tickFormat(d3().format('d'))),
    axis(svg('g', {transform: `translate(${left} 0)`}), d3().axisLeft(y).tickValues(y.ticks(4).filter((tick) => Number.isInteger(tick) || known.some(([, m]) => !Number.isInteger(m)))).tickFormat(d3().format('~g'))),
    svg('line', {x1: left, x2: width - 8, y1: y(0), y2: y(0), class: 'zero'}),
    svg('path', {d: d3().line().x(([k]) => x(k)).y(([, m]) => y(m)).curve(d3().curveStepAfter)(known), class: 'value-line'}),
    known.map(([k, m]) => svg('circle', {cx: x(k), cy: y(m), r: k === at ? 5 : 3, class: 'value-point'})));
  figure.replaceChildren(html('figcaption', {}, 'First’s margin after each ply'), plot);
}

// Bars, each of parts that stand on one another. rows: [label, {part: count}]; parts: [key, word, class].
export function bars(caption, rows, parts, unit) {
  const [width, height, left, bottom] = [520, 220, 62, 34];
  const totals = rows.map(([, values]) => parts.reduce((sum, [key]) => sum + (values[key] ?? 0), 0));
  const x = d3().scaleBand().domain(rows.map(([label]) => String(label))).range([left, width - 8]).padding(0.12);
  const y = d3().scaleLinear().domain([0, Math.max(1, ...totals)]).nice().range([height - bottom, 8]);
  const every = Math.ceil(rows.length / 16);
  const drawn = rows.flatMap(([label, values]) => {
    let below = 0;
    return parts.map(([key, word, kind]) => {
      const n = values[key] ?? 0;
      const from = below;
      below += n;
      return n === 0 ? null : svg('rect', {x: x(String(label)), width: x.bandwidth(), y: y(below), height: Math.max(0.5, y(from) - y(below)), class: `bar ${kind}`},
        svg('title', {}, `${label}${word ? `, ${word}` : ''}: ${count(n)} ${unit}`));
    });
  });
  return html('figure', {class: 'chart'},
    html('figcaption', {}, caption),
    svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${caption}; the numbers stand below`},
      axis(svg('g', {transform: `translate(0 ${height - bottom})`}), d3().axisBottom(x).tickValues(x.domain().filter((_, k) => k % every === 0))),
      axis(svg('g', {transform: `translate(${left} 0)`}), d3().axisLeft(y).ticks(5, '~s')), drawn),
    parts.length > 1 ? html('p', {class: 'legend'}, parts.map(([, word, kind]) => html('span', {class: `key ${kind}`}, word))) : null,
    numbers(caption, ['', ...parts.map(([, word]) => word || unit)], rows.map(([label, values]) => [label, ...parts.map(([key]) => values[key] ?? 0)])));
}

// A cell for each pair of values, coloured by its number between those of the cells `low` and `high`; undefined: there is none yet.
export function heatMap({caption, columns, rows, cell, low, high, format, open}) {
  const [from, to] = [low?.number ?? 0, high?.number ?? 0];
  const scale = d3().scaleSequential(d3().interpolateViridis).domain([from, to === from ? from + 1 : to]);
  const ramp = html('span', {class: 'ramp', 'aria-hidden': 'true'});
  ramp.style.backgroundImage = `linear-gradient(to right, ${d3().range(0, 1.01, 0.1).map((t) => d3().interpolateViridis(t)).join(', ')})`;
  const key = from === to ? null : html('p', {class: 'scale'}, `${format(low)} `, ramp, ` ${format(high)}`);
  return html('div', {class: 'scroll'}, key, html('table', {class: 'heat'}, html('caption', {}, caption),
    html('thead', {}, html('tr', {}, html('td', {}), columns.map((c) => html('th', {scope: 'col'}, c)))),
    html('tbody', {}, rows.map((r, j) => html('tr', {}, html('th', {scope: 'row'}, r), columns.map((c, i) => {
      const found = cell(i, j);
      const td = html('td', {});
      if (found.pending) {
        td.textContent = '…';
      } else if (found.problem) {
        td.append(html('span', {title: found.problem}, 'not solved'));
      } else {
        const button = html('button', {type: 'button', onclick: () => open(i, j), 'aria-label': `${c}, ${r}: ${format(found)}`}, format(found));
        if (found.number !== null) {
          const colour = d3().color(scale(found.number));
          button.style.backgroundColor = colour.formatHex ? colour.formatHex() : String(colour);
          const rgb = d3().rgb(colour);
          button.style.color = 0.299 * rgb.r + 0.587 * rgb.g + 0.114 * rgb.b > 140 ? '#000' : '#fff';
        }
        td.append(button);
      }
      return td;
    }))))));
}
