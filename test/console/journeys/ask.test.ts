import { openAskService } from '../../ask/ask-service.ts'
import { openConsoleAs, openPageAndSettle } from '../../support/browser/console-pages.ts'
import { pressOn } from '../../support/browser/keyboard.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { assertSoundPage, openFromMenu, testJourney } from './journey.ts'

const HARBOUR = {
  name: 'harbour',
  title: 'Harbour planning',
  lines: [
    { speaker: 'Ana Ribeiro', text: 'The crane of the harbour is older than both of us.' },
    { speaker: 'Ben Carter', text: 'We decided to replace the crane with a walrus winch.' },
    { speaker: 'Ana Ribeiro', text: 'Then the budget of the offices has to wait.' },
  ],
}
const LUNCH = {
  name: 'lunch',
  title: 'Lunch',
  lines: [{ speaker: 'Chloe Martin', text: 'We decided to have lunch at noon.' }],
}

const opened = openForFile(async () => {
  const service = await openAskService(null)
  const meetingId = await service.addMeeting(HARBOUR)
  await service.addMeeting(LUNCH)
  return { ...service, meetingId }
})

testJourney(
  'ask',
  'a question finds the line of an old decision, also without a language model',
  async (browser, look) => {
    const { service, program, meetingId } = opened()
    await using window = await openConsoleAs(browser, program.admin, look)
    const { page } = window
    await openPageAndSettle(page, `${service.url}/`)
    await openFromMenu(page, 'Ask')
    await page
      .getByLabel('Ask about your meetings and documents')
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.type('What did we decide about the crane?')
    await page.keyboard.press('Enter')
    await page.getByText('No language model is set up').waitFor()
    await assertSoundPage(window, 'journey-ask-passages')
    await pressOn(page.getByRole('link', { name: /replace the crane/ }).first())
    await page.waitForURL(new RegExp(`/meetings/${meetingId}#line-2$`))
    await page.locator('#line-2.target').waitFor()
    await assertSoundPage(window, 'journey-ask-line')
  },
)
