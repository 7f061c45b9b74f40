import { OperatorError } from '../../errors.ts'
import { createEndpointClient, EndpointFailure } from '../../speech/endpoint/endpoint-client.ts'
import { findInstallation } from '../../speech/install/installation.ts'
import { findChangedFile } from '../../speech/install/manifest.ts'
import { readSpeechSettings, type SpeechSettings } from '../../speech/settings.ts'
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
