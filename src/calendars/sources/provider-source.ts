import type { OccurrenceWindow } from '../ics/events.ts'
import { ProviderProblem, SyncStateLost } from '../providers/problems.ts'
import type { CalendarProvider, EventPage, ProviderApi } from '../providers/provider.ts'
import { applyChanges, toOccurrences, type StoredEvent } from '../providers/stored-event.ts'
import type { CalendarSource, PollFailure, PollResult, ProviderState } from './calendar-source.ts'

type Parts = {
  provider: CalendarProvider
  openApi(accountId: string, signal: AbortSignal): ProviderApi
  /** What the provider last reported of a stored calendar. */
  readEvents(calendarId: string): Promise<StoredEvent[]>
}

/** More than anyone's calendar has in two weeks. The whole round is in memory until it is complete. */
const MAX_EVENTS = 20_000
const MAX_PAGES = 1_000
const UNREADABLE_TEXT = (count: number) =>
  `Events that could not be read and were ignored: ${count}.`
const TOO_MANY_TEXT = 'Only the first 2,000 meetings of the planned weeks are used.'
const MAX_PLANNED = 2_000

/** A calendar that is read with the API of a provider: in full at first, and then only what changed. */
export function createProviderSource(parts: Parts): CalendarSource<ProviderState> {
  const { provider } = parts

  const read = async (
    state: ProviderState,
    window: OccurrenceWindow,
    signal: AbortSignal,
  ): Promise<PollResult> => {
    const api = parts.openApi(state.accountId, signal)
    const { calendarId, cursor } = state
    if (calendarId === null || cursor === null) return readInFull(api, state, window)
    try {
      const round = await readRound(provider, api, state.providerCalendarId, { cursor })
      const { changed, removedIds } = round
      if (changed.length === 0 && removedIds.length === 0)
        return { kind: 'unchanged', cursor: round.cursor }
      const events = { replacesAll: false, changed, removedIds }
      const all = applyChanges(await parts.readEvents(calendarId), events)
      return { ...toContent(all, round, window), isFull: false, events }
    } catch (error) {
      if (!(error instanceof SyncStateLost)) throw error
      return readInFull(api, state, window)
    }
  }
  const readInFull = async (
    api: ProviderApi,
    { providerCalendarId }: ProviderState,
    window: OccurrenceWindow,
  ): Promise<PollResult> => {
    const round = await readRound(provider, api, providerCalendarId, { window })
    const events = { replacesAll: true, changed: round.changed, removedIds: [] }
    return { ...toContent(applyChanges([], events), round, window), isFull: true, events }
  }

  return {
    async poll(state, window, signal) {
      try {
        return await read(state, window, signal)
      } catch (error) {
        signal.throwIfAborted()
        // A list of changes that is too old at its very beginning is an answer that makes no sense.
        if (error instanceof SyncStateLost)
          return failed(new ProviderProblem(provider.name, 'bad_answer', 'status 410'))
        if (!(error instanceof ProviderProblem)) throw error
        return failed(error)
      }
    },
  }
}

type Round = Pick<EventPage, 'changed' | 'removedIds' | 'unreadable' | 'cursor'>

/** Reads all pages. A process that is killed in between has stored nothing, so the next one starts the round again. */
async function readRound(
  provider: CalendarProvider,
  api: ProviderApi,
  calendarId: string,
  from: { cursor: string } | { window: OccurrenceWindow },
): Promise<Round> {
  const changed = new Map<string, StoredEvent>()
  const removed = new Set<string>()
  let unreadable = 0
  let next = from
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await provider.readEvents(api, calendarId, next)
    // Within a round, an event may be reported again, and the last report is right.
    for (const event of page.changed) {
      changed.set(event.id, event)
      removed.delete(event.id)
    }
    for (const id of page.removedIds) {
      changed.delete(id)
      removed.add(id)
    }
    unreadable += page.unreadable
    if (changed.size + removed.size > MAX_EVENTS) break
    const { cursor } = page
    if (page.isLast)
      return { changed: [...changed.values()], removedIds: [...removed], unreadable, cursor }
    next = { cursor }
  }
  throw new ProviderProblem(provider.name, 'too_many_events')
}

function toContent(
  all: readonly StoredEvent[],
  { unreadable, cursor }: Round,
  window: OccurrenceWindow,
) {
  const occurrences = toOccurrences(all, window)
  return {
    kind: 'changed',
    occurrences,
    // What a provider reports as deleted is deleted, so an empty calendar is believed.
    eventCount: null,
    problems: [
      ...(unreadable > 0 ? [UNREADABLE_TEXT(unreadable)] : []),
      ...(occurrences.length > MAX_PLANNED ? [TOO_MANY_TEXT] : []),
    ],
    state: { etag: null, lastModified: null, cursor },
  } as const
}

function failed({ message, retryAfterMs }: ProviderProblem): PollFailure {
  return { kind: 'failed', problem: message, retryAfterMs }
}
