import { spread } from '../runner.mjs';

const parts = { server: '#5b6ee1', worker: '#37946e', gateway: '#d98c3f' };
const rowHeight = 26;
const left = 270;
const barWidth = 430;
const width = left + barWidth + 130;

/** A bar for each case: the CPU of one payment, by the process that takes it. */
export function drawCpu(results) {
  const rows = [...results.values()]
    .filter(({ rounds, costs }) => rounds[0]?.cpuMs !== undefined && (costs?.length ?? 0) > 0)
    .map(({ title, rounds }) => ({
      title,
      cpuMs: Object.keys(parts).map((part) => spread(rounds.map(({ cpuMs }) => cpuMs[part])).median),
    }));
  const total = ({ cpuMs }) => cpuMs.reduce((sum, ms) => sum + ms, 0);
  const scale = barWidth / Math.max(...rows.map(total));
  const height = 60 + rows.length * rowHeight;
  const legend = Object.entries(parts).map(
    ([part, colour], at) =>
      `<rect x="${String(left + at * 90)}" y="12" width="12" height="12" fill="${colour}"/>` +
      `<text x="${String(left + at * 90 + 18)}" y="23">${part}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" font-family="sans-serif" font-size="13">`,
    '<title>CPU of one payment, in milliseconds, by process</title>',
    `<rect width="${String(width)}" height="${String(height)}" fill="#ffffff"/>`,
    ...legend,
    ...rows.flatMap((row, at) => drawRow(row, 44 + at * rowHeight, scale, total(row))),
    '</svg>',
    '',
  ].join('\n');
}

function drawRow({ title, cpuMs }, y, scale, total) {
  let x = left;
  const bars = Object.values(parts).map((colour, at) => {
    const barLength = cpuMs[at] * scale;
    const bar = `<rect x="${x.toFixed(1)}" y="${String(y)}" width="${barLength.toFixed(1)}" height="18" fill="${colour}"/>`;
    x += barLength;
    return bar;
  });
  return [
    `<text x="${String(left - 10)}" y="${String(y + 14)}" text-anchor="end">${title}</text>`,
    ...bars,
    `<text x="${(x + 8).toFixed(1)}" y="${String(y + 14)}">${total.toFixed(1)} ms</text>`,
  ];
}
