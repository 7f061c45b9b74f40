import { readFileSync } from 'node:fs'
import { OperatorError } from '../lib/operator-error.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import type { EndpointSettings } from './endpoint-client.ts'

export type SpeechSettings = {
  isOn: boolean
  dataFolder: string
  /** If undefined, the number depends on the machine's cores. */
  workers: number | undefined
  endpoint: EndpointSettings | null
}

/** The settings of the service that speech recognition uses. */
type ServiceSettings = {
  speech: boolean
  data: string
  speechWorkers: number | undefined
  speechUrl: string | undefined
  speechModel: string
  speechApiKey: string | undefined
  speechApiKeyFile: string | undefined
}

export function readSpeechSettings(settings: ServiceSettings): SpeechSettings {
  const { speechUrl: url, speechModel: model, speechApiKeyFile: file } = settings
  const apiKey = file === undefined ? settings.speechApiKey : readKeyFile(file)
  return {
    isOn: settings.speech,
    dataFolder: settings.data,
    workers: settings.speechWorkers,
    endpoint: url === undefined ? null : { url, model, apiKey },
  }
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new OperatorError(
      `HANSARD_SPEECH_API_KEY_FILE: ${path} cannot be read: ${errorMessageOf(error)}`,
      undefined,
      error,
    )
  }
}
