import type { SelectorDrift, PlatformName, PlatformEvent } from '../../bots/platforms/platform.ts'
import type { Db } from '../../db/database.ts'
import { isTransientDatabaseError, retryWhileTransient } from '../../db/transient-errors.ts'
import type { Log } from '../../log.ts'
import type { MeetingMetrics } from '../metrics.ts'
import { saveEvidence } from '../record/evidence.ts'
import { LeaseLost, type MeetingLease } from '../record/meeting-store.ts'
import {
  createCaptionWarning,
  createChatUnavailableWarning,
  createSelectorDriftWarnings,
  createSpeechDelayWarning,
  saveOrReplaceMeetingWarnings,
  createUnidentifiedBotWarning,
  type MeetingWarning,
} from '../record/warnings.ts'

type DiagnosticEvent = Extract<
  PlatformEvent,
  {
    kind:
      | 'drift'
      | 'unidentified'
      | 'caption problem'
      | 'speech lost'
      | 'speech delay'
      | 'chat unavailable'
      | 'evidence'
  }
>

/** Stores warnings and evidence, so that an operator can find out what went wrong in a meeting. */
export type MeetingDiagnosticsRecorder = ReturnType<typeof createMeetingDiagnosticsRecorder>

type Parts = {
  db: Db
  lease: MeetingLease
  platform: PlatformName
  metrics: MeetingMetrics
  /** Called after a warning or evidence was stored. */
  onStored?(): void
  log: Log
}

/** Writes under the meeting's lease. If a diagnostic cannot be stored, that is logged and the bot continues. */
export function createMeetingDiagnosticsRecorder({
  db,
  lease,
  platform,
  metrics,
  onStored,
  log,
}: Parts) {
  const save =
    (...warnings: MeetingWarning[]) =>
    () =>
      saveOrReplaceMeetingWarnings(db, lease, warnings)
  const recordDrift = (drifts: readonly SelectorDrift[], at: Date) => {
    const warnings = createSelectorDriftWarnings(drifts, at)
    const parts = warnings.map(({ subject }) => subject)
    for (const part of parts) metrics.countDrift(platform, part)
    if (parts.length > 0) log.warn({ platform, parts }, 'page drift detected')
    return save(...warnings)
  }
  let longestDelayMs = 0
  const prepareWrite = (event: DiagnosticEvent, at: Date) => {
    switch (event.kind) {
      case 'drift':
        return recordDrift(event.drifts, at)
      case 'unidentified':
        return save(createUnidentifiedBotWarning(event.detail, at))
      case 'caption problem':
        return save(createCaptionWarning(event.code, event.detail, at))
      case 'speech lost':
        return save(createCaptionWarning('speech_incomplete', event.detail, at))
      case 'speech delay': {
        const { behindMs } = event
        longestDelayMs = Math.max(longestDelayMs, behindMs)
        return save(createSpeechDelayWarning({ behindMs, longestMs: longestDelayMs }, at))
      }
      case 'chat unavailable':
        return save(createChatUnavailableWarning(event.detail, at))
      // Evidence can contain text of participants, so it is not logged.
      case 'evidence':
        return () => saveEvidence(db, lease, event.evidence, at)
    }
  }
  return {
    async record(event: DiagnosticEvent, at: Date) {
      const write = prepareWrite(event, at)
      try {
        await retryWhileTransient(write)
        onStored?.()
        log.debug(`${event.kind} stored`)
      } catch (error) {
        if (error instanceof LeaseLost || isTransientDatabaseError(error)) throw error
        log.warn({ err: error }, `failed to store ${event.kind}`)
      }
    },
  }
}
