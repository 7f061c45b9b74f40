import { estimateTokens } from '../../lib/text/estimate-tokens.ts'
import type { ModelListener } from '../model.ts'
import { fillUsageWithEstimates, readEventUsage, type ReportedUsage } from './reported-usage.ts'

/**
 * Counts the tokens of the request in progress: by what the provider reports, else by the length of the texts. A run
 * that is aborted never learns the provider's count, but its tokens are charged.
 */
export interface OpenRequestTokenCounter {
  /** A request with about this much input is sent. */
  begin(inputTokens: number): void
  addOutput(text: string): void
  /** Reads the usage in an event of the provider's stream, if there is any. */
  addEvent(event: unknown): void
  end(reported: ReportedUsage): void
  /** The request in progress failed. A refused one is not charged. */
  fail(isRefused: boolean): void
}

const NOTHING_REPORTED: ReportedUsage = {
  inputTokens: undefined,
  cachedInputTokens: undefined,
  outputTokens: undefined,
}

export function createOpenRequestTokenCounter(
  listener: Pick<ModelListener, 'onOpenRequest' | 'onTokens'>,
): OpenRequestTokenCounter {
  let open: { inputTokens: number; writtenTokens: number; reportedTokens: number } | null = null
  const estimate = () => ({
    inputTokens: open?.inputTokens ?? 0,
    outputTokens: Math.max(Math.ceil(open?.writtenTokens ?? 0), open?.reportedTokens ?? 0),
  })
  const publish = () => listener.onOpenRequest(fillUsageWithEstimates(NOTHING_REPORTED, estimate()))
  const close = (reported: ReportedUsage) => {
    const count = fillUsageWithEstimates(reported, estimate())
    open = null
    listener.onTokens(count)
  }
  return {
    begin(inputTokens) {
      open = { inputTokens, writtenTokens: 0, reportedTokens: 0 }
      publish()
    },
    addOutput(text) {
      if (open === null) return
      open.writtenTokens += estimateTokens(text)
      publish()
    },
    addEvent(event) {
      const { inputTokens, outputTokens = 0 } = readEventUsage(event)
      if (open === null || (inputTokens === undefined && outputTokens === 0)) return
      open.inputTokens = inputTokens ?? open.inputTokens
      open.reportedTokens = Math.max(open.reportedTokens, outputTokens)
      publish()
    },
    end(reported) {
      if (open !== null) close(reported)
    },
    fail(isRefused) {
      if (open === null) return
      if (!isRefused) return close(NOTHING_REPORTED)
      open = null
      listener.onOpenRequest(null)
    },
  }
}
