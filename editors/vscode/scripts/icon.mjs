// Renders images/icon.svg to images/icon.png, because VS Code does not accept SVG icons.

import * as path from 'node:path';
import { chromium } from 'playwright-core';

const images = path.join(path.dirname(import.meta.dirname), 'images');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.goto(`file://${path.join(images, 'icon.svg')}`);
await page.screenshot({ path: path.join(images, 'icon.png'), omitBackground: true });
await browser.close();
