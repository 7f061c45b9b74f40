import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { describeNetworkFault } from '../../bots/browser/network/reachability/network-faults.ts'
import {
  createBrowserNetworkProbe,
  findProbeObstacle,
} from '../../bots/browser/network/reachability/probe-site.ts'
import { PLATFORM_INFO } from '../../bots/platforms/platform-info.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode } from '../../lib/error-code.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { ZONE_DATA_VERSION } from '../../lib/time/zone-data.ts'
import { readSpeechDelays } from '../../meetings/record/warnings.ts'
import { createEndpointClient, EndpointFailure } from '../../speech/endpoint-client.ts'
import { findInstallation, findChangedFile } from '../../speech/install/installation.ts'
import { readSpeechSettings, type SpeechSettings } from '../../speech/settings.ts'
import type { CheckContext, DoctorCheck } from './checks.ts'

/**
 * Kept, because several people may open the System page at once. Only briefly, because people often come from a meeting
 * that failed just now, and an older result would contradict its page.
 */
const KEEP_RESULT_MS = 15_000

const HEALTH_TIMEOUT_MS = 3_000

/** Short, because the System page waits for this check. */
const ENDPOINT_TIME_LIMIT_MS = 5_000

const RUNTIME_TEXTS = { native: 'native', webassembly: 'WebAssembly' } as const

const Health = z.object({ status: z.literal('ok'), version: z.string() })

/** One check for each platform with a website: can this machine open it? */
export const REACHABILITY_CHECKS: readonly DoctorCheck[] = Object.values(PLATFORM_INFO).flatMap(
  ({ title, siteHost }) =>
    siteHost === null
      ? []
      : [
          {
            name: title,
            fix: 'see docs/operate.md#network',
            keepResultMs: KEEP_RESULT_MS,
            run: (context: CheckContext) => checkSite(context, { title, host: siteHost }),
          },
        ],
)

async function checkSite(
  { config, probeSite = createBrowserNetworkProbe() }: CheckContext,
  { title, host }: { title: string; host: string },
): Promise<string> {
  const obstacle = findProbeObstacle(config)
  if (obstacle !== null) return `not checked: ${obstacle}`
  const result = await probeSite(host)
  if (result.ok) return `${host} can be reached`
  const { what, fix } = describeNetworkFault(result.fault, title)
  throw new OperatorError(what, fix)
}

/** True if a Hansard service answers at the address in time. */
export async function isHansardService(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
  try {
    return Health.safeParse(tryParseJson(await readBody(`${address}/healthz`, signal))).success
  } catch (error) {
    if (errorCode(error) === '' && !signal.aborted) throw error
    return false
  }
}

/** Not with `fetch`, which refuses some ports and may use a proxy that can't reach this machine. */
async function readBody(url: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get(url, { signal, agent: false }, (response) => {
    text(response).then(resolve, reject)
  }).once('error', reject)
  return promise
}

/** Says which speech recognition is installed. It is not a problem if none is. */
export async function checkSpeech({ config }: CheckContext): Promise<string> {
  if (!config.speech) return 'turned off (HANSARD_SPEECH=off)'
  const settings = readSpeechSettings(config)
  return [await describeInstallation(settings), await describeEndpoint(settings)].join('; ')
}

/** Checks that the speech of all live meetings is recognized in time, on every node. */
export async function checkSpeechDelays(db: Db, now?: Date): Promise<string> {
  const late = await readSpeechDelays(db, now)
  const [first] = late
  if (first === undefined) return 'no live meeting waits for speech recognition'
  const others = late.length > 1 ? `, and ${late.length - 1} more meetings` : ''
  throw new OperatorError(`${first.text.replace(/\.$/, '')} (${first.meetingId}${others})`)
}

async function describeInstallation({ dataFolder }: SpeechSettings): Promise<string> {
  const found = findInstallation(dataFolder)
  if (found.state === 'absent') return 'not installed (hansard speech install)'
  if (found.state === 'outdated')
    throw new OperatorError('the installed files are of another version of Hansard')
  if (found.state === 'damaged') throw new OperatorError(found.problem)
  const { folder, runtime } = found.files
  const problem = await findChangedFile(folder, found.manifest)
  if (problem !== null) throw new OperatorError(problem)
  return `English on this machine (${RUNTIME_TEXTS[runtime]})`
}

async function describeEndpoint({ endpoint }: SpeechSettings): Promise<string> {
  if (endpoint === null) return 'no endpoint for other languages'
  const limits = { requestMs: ENDPOINT_TIME_LIMIT_MS, retryMs: 0, backOffMs: 0 }
  try {
    await createEndpointClient(endpoint, limits).probe()
    return `other languages by ${endpoint.url}, which answers`
  } catch (error) {
    if (!(error instanceof EndpointFailure)) throw error
    throw new OperatorError(error.message, 'Check HANSARD_SPEECH_URL and the server behind it')
  }
}

/** Names the release of the time zone data. Fails if Node's is newer, because schedules would then use old rules. */
export function checkBundledZoneDataVersion(
  nodeZoneDataVersion = process.versions['tz'] ?? '',
): string {
  if (nodeZoneDataVersion > ZONE_DATA_VERSION)
    throw new OperatorError(
      `the time zone data is of release ${ZONE_DATA_VERSION}, and Node already has ${nodeZoneDataVersion}`,
    )
  return `IANA release ${ZONE_DATA_VERSION} (Node itself has ${nodeZoneDataVersion})`
}
