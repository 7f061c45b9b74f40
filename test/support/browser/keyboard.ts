import { strict as assert } from 'node:assert'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../time/eventually.ts'

/** No page of the tests has this many stops. */
const MAX_TABS = 150

/**
 * Presses Tab until the element has the focus, like a person without a mouse. If the element never gets it, fails and
 * lists everything that had the focus.
 */
export async function tabTo(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = element.page()
  const visible = element.filter({ visible: true })
  await visible.first().waitFor()
  await waitForDialogFocus(page)
  const focused = visible.and(page.locator(':focus'))
  const passed: string[] = []
  while ((await focused.count()) === 0) {
    const report = `${key} does not reach ${element.toString()}, only ${passed.join(', ')}`
    assert.ok(passed.length < MAX_TABS, report)
    await page.keyboard.press(key)
    passed.push(await describeFocus(page))
  }
}

/** Moves the focus to the element and presses the key that activates it. */
export async function pressOn(element: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(element)
  await element.page().keyboard.press(key)
}

/** Moves the focus to a field and replaces its text. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  const { keyboard } = field.page()
  await keyboard.press('Control+a')
  await keyboard.type(text)
}

/** Chooses an option of a list with the arrow keys. */
export async function chooseOption(list: Locator, label: string): Promise<void> {
  await tabTo(list)
  const labels = await list.locator('option').allTextContents()
  const findChosen = async () =>
    labels.indexOf((await list.locator('option:checked').textContent()) ?? '')
  const wanted = labels.indexOf(label)
  assert.notEqual(wanted, -1, `${label} is not one of ${labels.join(', ')}`)
  for (let chosen = await findChosen(); chosen !== wanted;) {
    const before = chosen
    await list.page().keyboard.press(wanted > before ? 'ArrowDown' : 'ArrowUp')
    // The page may store the choice before it shows it.
    chosen = await eventually(async () => {
      const now = await findChosen()
      return now === before ? null : now
    })
  }
}

/** A dialog takes the focus shortly after it opens, so an earlier Tab would have no effect. */
async function waitForDialogFocus(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ visible: true })
  if ((await dialog.count()) === 0) return
  await dialog
    .locator(':focus')
    .or(dialog.and(page.locator(':focus')))
    .first()
    .waitFor()
}

async function describeFocus(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { tagName, id, ariaLabel, textContent } = document.activeElement
    const name = ariaLabel ?? textContent.trim().replaceAll(/\\s+/g, ' ').slice(0, 40)
    return [tagName.toLowerCase(), id && '#' + id, '“' + name + '”'].filter(Boolean).join(' ')
  })()`)
}
