/** Headless Chromium of the machine. Its absence fails the tests that need it; they never skip. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

export async function openBrowser(): Promise<Browser> {
  if (!existsSync(path)) {
    throw new Error(
      `the tests of the web seat need Chromium at ${path} (apt-get install chromium, or set CHROMIUM)`,
    )
  }
  return await chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
