import { z } from 'zod'
import type { Seat } from '../../browser/seat.ts'
import type { Bridge } from '../bridge/bridge.ts'
import type { Decision } from '../page/decide.ts'
import type { Evidence, Survey } from '../platform.ts'
import { within } from './within.ts'

const SURVEY_MS = 1_500
const SCREENSHOT_MS = 3_000
const QUALITY = 50
const MAX_BYTES = 2 * 1_024 * 1_024

const TEXT = z.string().max(10_000)
const LIST = z.array(TEXT).max(100)
const SURVEY = z.object({
  address: TEXT,
  title: TEXT,
  language: TEXT,
  headings: LIST,
  buttons: LIST,
})

/** What the page looks like now, as far as it still answers. */
export async function collectEvidence(
  seat: Seat,
  bridge: Bridge,
  { state, marks }: Decision,
): Promise<Evidence> {
  const [survey, screenshot] = await Promise.all([
    within(SURVEY_MS, bridge.ask('survey')),
    within(SCREENSHOT_MS, takeScreenshot(seat)),
  ])
  const { success, data } = SURVEY.safeParse(survey)
  return { state, marks, survey: success ? data : bareSurvey(seat.page.url()), screenshot }
}

async function takeScreenshot({ session }: Seat): Promise<Uint8Array | null> {
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: QUALITY,
  })
  const bytes = Buffer.from(data, 'base64')
  return bytes.length > MAX_BYTES ? null : new Uint8Array(bytes)
}

function bareSurvey(given: string): Survey {
  return { address: publicAddress(given), title: '', language: '', headings: [], buttons: [] }
}

/** Without passcodes and tokens, which are in what follows the path. */
export function publicAddress(given: string): string {
  const url = URL.parse(given)
  return url === null || url.origin === 'null' ? '' : url.origin + url.pathname
}
