import { z } from 'zod'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import type { Bridge } from '../bridge/bridge.ts'
import type { PageStateDecision } from '../page-model/page-states.ts'
import type { Evidence, PageSummary } from '../platform.ts'
import { withTimeout } from './with-timeout.ts'

const SURVEY_MS = 1_500
const SCREENSHOT_MS = 3_000
const JPEG_QUALITY = 50
const MAX_BYTES = 2 * 1_024 * 1_024

const TEXT = z.string().max(10_000)
const LIST = z.array(TEXT).max(100)
const PAGE_SUMMARY_SCHEMA = z.object({
  address: TEXT,
  title: TEXT,
  language: TEXT,
  headings: LIST,
  buttons: LIST,
})

/** What the page looks like now, as far as it still answers. */
export async function collectEvidence(
  slot: BrowserSlot,
  bridge: Bridge,
  { state, marks }: PageStateDecision,
): Promise<Evidence> {
  const [survey, screenshot] = await Promise.all([
    withTimeout(SURVEY_MS, bridge.request('summarizePage')),
    withTimeout(SCREENSHOT_MS, takeScreenshot(slot)),
  ])
  const { success, data } = PAGE_SUMMARY_SCHEMA.safeParse(survey)
  return { state, marks, survey: success ? data : minimalSummary(slot.page.url()), screenshot }
}

async function takeScreenshot({ cdpSession }: BrowserSlot): Promise<Uint8Array | null> {
  const { data } = await cdpSession.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: JPEG_QUALITY,
  })
  const bytes = Buffer.from(data, 'base64')
  return bytes.length > MAX_BYTES ? null : new Uint8Array(bytes)
}

function minimalSummary(given: string): PageSummary {
  return { address: redactUrl(given), title: '', language: '', headings: [], buttons: [] }
}

/** Without passcodes and tokens, which are in what follows the path. */
export function redactUrl(given: string): string {
  const url = URL.parse(given)
  return url === null || url.origin === 'null' ? '' : url.origin + url.pathname
}
