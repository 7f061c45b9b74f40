import { pressOn, typeInto } from '../../support/browser/keyboard.ts'
import { openIsolatedWindow } from '../../support/browser/open-browser.ts'
import { ADMIN } from '../../support/service/admin-user.ts'
import { startService } from '../../support/service/start-service.ts'
import { createHeldPractice } from '../held-practice.ts'
import { assertSoundPage, testJourney } from './journey.ts'

testJourney(
  'first run',
  'the setup link leads through a practice meeting to its recap',
  async (browser, look) => {
    const practice = createHeldPractice()
    await using service = await startService(
      { HANSARD_RECAP: 'on' },
      { platforms: [practice.platform] },
    )
    await using window = await openIsolatedWindow(browser, service.url, look)
    const { page } = window
    await page.goto(service.setupLink ?? '')
    await page.locator('input[name=name]:focus').waitFor()
    await page.keyboard.type(ADMIN.name)
    await typeInto(page.getByLabel('Email'), ADMIN.email)
    await typeInto(page.getByLabel('Password', { exact: true }), ADMIN.password)
    await page.keyboard.press('Enter')

    await pressOn(page.getByRole('button', { name: 'Start a practice meeting' }))
    await page.waitForURL(/\/meetings\/meeting_/)
    const step = page.locator('[aria-current=step]')
    await step.getByText('Waiting for the host').waitFor()
    practice.playUntil(3)
    await step.getByText('Captions on').waitFor()
    practice.playUntil(15)
    await page.locator('#line-1').waitFor()
    practice.playUntil(Infinity)
    await page.getByRole('status').getByText('The recap is ready.').waitFor()

    const decisions = page.getByRole('region', { name: 'Decisions' })
    await pressOn(decisions.getByRole('link', { name: /^.+ \d\d:\d\d: / }).first())
    await page.locator('.line.target').waitFor()
    await assertSoundPage(window, 'journey-first-run')
  },
)
