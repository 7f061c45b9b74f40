import { z } from 'zod'
import { hasUrlCredentials, integerInRange, nonEmptyText, onOffFlag } from './setting-schemas.ts'

/** Settings for the recognition of speech in meetings. */
export const SPEECH_SETTINGS = {
  speech: {
    env: 'HANSARD_SPEECH',
    schema: onOffFlag,
    default: 'on',
    about:
      '`on`: bots can recognize speech, once it is installed (`hansard speech install`) or an endpoint is set; `off`: they use only the captions of the platform',
  },
  speechWorkers: {
    env: 'HANSARD_SPEECH_WORKERS',
    schema: integerInRange(1, 64),
    about:
      'Maximum number of processes that recognize speech on this node; if not set, and at most, half the cores',
  },
  speechUrl: {
    env: 'HANSARD_SPEECH_URL',
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
      .refine(
        (url) => !hasUrlCredentials(url),
        'must not contain a password; use HANSARD_SPEECH_API_KEY',
      ),
    about:
      'Address of an OpenAI-compatible server that recognizes speech in other languages than English, such as http://localhost:8000/v1; the sound of meetings is sent there',
  },
  speechModel: {
    env: 'HANSARD_SPEECH_MODEL',
    schema: nonEmptyText,
    default: 'whisper-1',
    about: 'Model of that server',
  },
  speechApiKey: {
    env: 'HANSARD_SPEECH_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'API key for that server',
  },
  speechApiKeyFile: {
    env: 'HANSARD_SPEECH_API_KEY_FILE',
    schema: nonEmptyText,
    about: 'File that contains the API key, instead of `HANSARD_SPEECH_API_KEY`',
  },
} as const

export function findSpeechSettingProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isGiven = (name: keyof typeof SPEECH_SETTINGS) => values[name] !== undefined
  if (isGiven('speechApiKey') && isGiven('speechApiKeyFile'))
    return ['HANSARD_SPEECH_API_KEY and HANSARD_SPEECH_API_KEY_FILE exclude each other']
  if ((isGiven('speechApiKey') || isGiven('speechApiKeyFile')) && !isGiven('speechUrl'))
    return ['The API key for speech needs HANSARD_SPEECH_URL']
  return []
}
