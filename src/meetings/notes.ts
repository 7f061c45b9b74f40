import type { Db } from '../db/open.ts'
import { isPassing, persevere } from '../db/passing-trouble.ts'
import type { Log } from '../log.ts'
import type { Drifted, Evidence, PlatformName } from '../platforms/platform.ts'
import { keepEvidence } from './evidence.ts'
import type { MeetingMetrics } from './metrics.ts'
import { HoldLost, type Hold } from './store.ts'
import { driftWarnings, keepWarnings } from './warnings.ts'

/** What a bot brings back besides words, for whoever must find out what happened. */
export interface Notes {
  evidence(evidence: Evidence, at: Date): Promise<void>
  drift(drifts: readonly Drifted[], at: Date): Promise<void>
}

type Parts = { db: Db; hold: Hold; platform: PlatformName; metrics: MeetingMetrics; log: Log }

/** Written under the hold of the meeting. A note that cannot be kept does not end a visit. */
export function createNotes({ db, hold, platform, metrics, log }: Parts): Notes {
  const keep = async (what: string, write: () => Promise<void>) => {
    try {
      await persevere(write)
      log.debug(`${what} kept`)
    } catch (error) {
      if (error instanceof HoldLost || isPassing(error)) throw error
      log.warn({ err: error }, `${what} not kept`)
    }
  }
  return {
    // What is in it is the page's, and stays out of the log.
    evidence: (evidence, at) => keep('evidence', () => keepEvidence(db, hold, evidence, at)),
    async drift(drifts, at) {
      const warnings = driftWarnings(drifts, at)
      for (const { subject } of warnings) metrics.drifted(platform, subject)
      const parts = warnings.map(({ subject }) => subject)
      if (parts.length > 0) log.warn({ platform, parts }, 'the page differs from the known one')
      await keep('warnings', () => keepWarnings(db, hold, warnings))
    },
  }
}
