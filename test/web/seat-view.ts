/** A seat as a person sees it in DSH web: found by role and by text, never by style. */
import type { Browser, Locator, Page } from 'playwright-core'

const PATIENCE_MS = 30_000

export class SeatView {
  readonly page: Page
  /** Errors that the page threw. */
  readonly errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('pageerror', (error) => this.errors.push(error.message))
  }

  /** A new session, on its first page. */
  static async open(browser: Browser, url: string): Promise<SeatView> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 850 } })
    const view = new SeatView(await context.newPage())
    await view.page.goto(url)
    await view.presetButton.waitFor()
    return view
  }

  /** The first visit of a home: its folder becomes the workspace. */
  async chooseWorkspace(): Promise<void> {
    await this.page.getByRole('button', { name: 'Choose workspace' }).click()
    await this.page.getByRole('button', { name: 'Open', exact: true }).click()
    await this.modelButton.waitFor()
  }

  async choosePreset(name: string): Promise<void> {
    await this.presetButton.click()
    await this.page.getByText(name, { exact: true }).click()
    // disabled while the host composes the session anew
    await this.page.getByRole('button', { name, exact: true, disabled: false }).waitFor()
  }

  async presets(): Promise<string> {
    await this.presetButton.click()
    await this.page.getByText('Stage', { exact: true }).waitFor()
    return await this.page.locator('body').innerText()
  }

  async chooseModel(name: string): Promise<void> {
    await this.modelButton.click()
    await this.page.getByRole('menuitem', { name: /^Model/ }).click()
    await this.page.getByRole('menuitemradio', { name }).click()
    await this.page.getByRole('button', { name: `Select model, current ${name}` }).waitFor()
  }

  /** Types a line, or a command, and sends it. */
  async type(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  async stop(): Promise<void> {
    await this.stopButton.click()
  }

  /** Nothing is being answered. */
  async idle(): Promise<void> {
    await this.stopButton.waitFor({ state: 'detached' })
    await this.page.getByRole('button', { name: 'Send message' }).waitFor()
  }

  /** Who spoke, in order, once for each time. */
  async speakers(): Promise<readonly string[]> {
    const names = await this.page.locator('strong').allInnerTexts()
    return names.filter((name) => name.endsWith(':')).map((name) => name.slice(0, -1))
  }

  /** What each command came to, in order: its name, then its text. */
  async results(): Promise<readonly string[]> {
    return await this.page.locator('[data-slot="conversation.chat.commandview"]').allInnerTexts()
  }

  /** Of the seat's own model: `2 turns · 2 steps`. */
  async turns(): Promise<string> {
    return await this.page.getByText(/^\d+ turns · \d+ steps$/).innerText()
  }

  /** The folder that the new session would work in. */
  async workspace(): Promise<string> {
    return await this.page.getByRole('button', { name: 'Choose workspace' }).innerText()
  }

  text(text: string | RegExp): Locator {
    return this.page.getByText(text).first()
  }

  get stopButton(): Locator {
    return this.page.getByRole('button', { name: 'Stop generating' })
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  private get composer(): Locator {
    return this.page.locator('textarea').last()
  }

  private get presetButton(): Locator {
    return this.page.getByRole('button', { name: 'Standard mode' })
  }

  private get modelButton(): Locator {
    return this.page.getByRole('button', { name: /^Select model/ })
  }
}
