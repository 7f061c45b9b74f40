import { OperatorError } from '../../errors.ts'
import { createEndpointClient, EndpointFailure } from '../../speech/endpoint/endpoint-client.ts'
import { findInstallation } from '../../speech/install/installation.ts'
import { findChangedFile } from '../../speech/install/manifest.ts'
import { readSpeechSettings, type SpeechSettings } from '../../speech/settings.ts'
import { readSpeechDelays } from '../../meetings/record/warnings.ts'
import type { Db } from '../../db/database.ts'
import type { CheckContext } from './checks.ts'

/** The System page waits for this check. */
const ENDPOINT_TIME_LIMIT_MS = 5_000

const RUNTIME_TEXTS = { native: 'native', webassembly: 'WebAssembly' } as const

/** Says what is installed to recognize speech. That nothing is installed is no problem. */
export async function checkSpeech({ config }: CheckContext): Promise<string> {
  if (!config.speech) return 'turned off (HANSARD_SPEECH=off)'
  const settings = readSpeechSettings(config)
  return [await describeInstallation(settings), await describeEndpoint(settings)].join('; ')
}

/** Whether the speech of all live meetings is recognized in time, on any node. */
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
