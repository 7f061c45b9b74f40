import { z } from 'zod'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import type { PageBridge } from '../bridge/bridge.ts'
import type { FailureEvidence, PageSummary } from '../platform.ts'
import { awaitPageAnswer, removeUrlQueryAndFragment } from './page-errors.ts'
import type { PageSession } from './page-session.ts'

const SUMMARY_MS = 1_500
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

/** Collects a description and a screenshot of the page, as far as the page still answers. */
export async function collectPageEvidence({
  slot,
  bridge,
  pageState,
  reportError,
}: Pick<PageSession, 'slot' | 'bridge' | 'pageState' | 'reportError'>): Promise<FailureEvidence> {
  const { state, marks } = pageState.latest()
  /** The page's answer; null if there is none. Errors are only logged, so that they do not change the session's end. */
  const ask = async <T>(step: string, ms: number, asked: Promise<T>): Promise<T | null> => {
    const report = (error: unknown) => reportError(step, error)
    try {
      const answer = await awaitPageAnswer(ms, asked, report)
      return answer.kind === 'value' ? answer.value : null
    } catch (error) {
      report(error)
      return null
    }
  }
  const [summary, screenshot] = await Promise.all([
    ask('summarize page', SUMMARY_MS, summarizePage(bridge)),
    ask('take screenshot', SCREENSHOT_MS, takeScreenshot(slot)),
  ])
  return { state, marks, survey: summary ?? minimalSummary(slot.page.url()), screenshot }
}

/** The summary of the page, with the headings and buttons of all its frames. */
export async function summarizePage(bridge: Pick<PageBridge, 'request'>): Promise<PageSummary> {
  const frames = z.array(PAGE_SUMMARY_SCHEMA).parse(await bridge.request('summarizePage'))
  return {
    ...(frames[0] ?? minimalSummary('')),
    headings: frames.flatMap(({ headings }) => headings),
    buttons: frames.flatMap(({ buttons }) => buttons),
  }
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
  return {
    address: removeUrlQueryAndFragment(given),
    title: '',
    language: '',
    headings: [],
    buttons: [],
  }
}
