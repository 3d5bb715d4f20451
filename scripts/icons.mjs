// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './lib/find-chromium.mjs';
import { icnsFile, icoFile } from './lib/icon-files.mjs';

// Draws every picture in resources/icons from the SVG files there: `node scripts/icons.mjs` after changing one.
const folder = path.resolve(import.meta.dirname, '../resources/icons');
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const executablePath = findChromium();
if (executablePath === undefined) {
  process.stderr.write('Cannot draw the icons: no Chromium found, set SUNWELL_CHROMIUM to its path\n');
  process.exit(1);
}
const isRoot = process.getuid?.() === 0;
const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
try {
  const page = await browser.newPage();
  const pictures = [];
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size });
    const svg = readFileSync(path.join(folder, drawingFor(size)), 'utf8');
    await page.setContent(
      `<style>html, body { margin: 0 } svg { display: block; width: ${size}px }</style>${svg}`,
    );
    pictures.push({ size, png: await page.screenshot({ omitBackground: true }) });
  }
  for (const { size, png } of pictures) {
    writeFileSync(path.join(folder, `${size}x${size}.png`), png);
    if (size === 512) writeFileSync(path.join(folder, 'icon.png'), png);
  }
  writeFileSync(path.join(folder, 'icon.ico'), icoFile(pictures));
  writeFileSync(path.join(folder, 'icon.icns'), icnsFile(pictures));
} finally {
  await browser.close();
}

/**
 * Small pictures have their own drawings: the large one turns to mush on few pixels.
 * @param {number} size
 */
function drawingFor(size) {
  if (size <= 16) return 'icon-16.svg';
  return size <= 32 ? 'icon-32.svg' : 'icon.svg';
}
