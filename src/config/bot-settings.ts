import { z } from 'zod'
import {
  hostList,
  httpOrigin,
  isOriginSafeForSecrets,
  jsonStringArray,
  nonEmptyText,
  integerInRange,
  hasUrlCredentials,
  onOffFlag,
} from './setting-schemas.ts'

/** Settings for browsers and for how bots identify themselves in meetings. */
export const BOT_SETTINGS = {
  browserPath: {
    env: 'HANSARD_BROWSER_PATH',
    schema: nonEmptyText,
    about: 'Path of the Chrome or Chromium to use; if not set, the first one found',
  },
  browserArgs: {
    env: 'HANSARD_BROWSER_ARGS',
    schema: jsonStringArray,
    default: '[]',
    about: 'Extra Chromium arguments, as a JSON array of strings',
  },
  browserCdp: {
    env: 'HANSARD_BROWSER_CDP',
    schema: z.url({ protocol: /^(https?|wss?)$/, error: 'must be an http or ws address' }),
    isSecret: true,
    about: 'DevTools endpoint of a running Chrome to use instead of starting one',
  },
  browserMode: {
    env: 'HANSARD_BROWSER_MODE',
    schema: z.enum(['headless', 'shell', 'headed']),
    default: 'headless',
    about:
      '`headless`: no window; `shell`: the lighter headless shell; `headed`: with a window, on a virtual screen (Xvfb) if there is none',
  },
  botsPerBrowser: {
    env: 'HANSARD_BOTS_PER_BROWSER',
    schema: integerInRange(1, 100),
    default: '8',
    about: 'Maximum number of bots that share one browser',
  },
  joinTimeout: {
    env: 'HANSARD_JOIN_TIMEOUT',
    schema: integerInRange(30, 3_600),
    default: '120',
    about:
      'Seconds a meeting page may take to show the way into the meeting before the meeting ends with `page_not_loaded`',
  },
  reachabilityCheck: {
    env: 'HANSARD_REACHABILITY_CHECK',
    schema: z.enum(['on', 'off']),
    default: 'on',
    about:
      '`on`: `hansard doctor`, the System page and failed joins check whether this machine can open the websites of Google Meet and Microsoft Teams; `off`: they do not',
  },
  breakoutRooms: {
    env: 'HANSARD_BREAKOUT_ROOMS',
    schema: z.enum(['stay', 'follow']),
    default: 'stay',
    about:
      '`stay`: a bot that is invited to a breakout room stays in the main call; `follow`: it joins the room',
  },
  selectorsFile: {
    env: 'HANSARD_SELECTORS_FILE',
    schema: nonEmptyText,
    about: 'JSON file with selectors for meeting pages that are tried before the built-in ones',
  },
  teamsTenant: {
    env: 'HANSARD_TEAMS_TENANT',
    schema: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, 'must be a tenant id or domain'),
    about:
      'Microsoft Entra tenant with which bots identify themselves in Microsoft Teams (bot identification)',
  },
  teamsClientId: {
    env: 'HANSARD_TEAMS_CLIENT_ID',
    schema: nonEmptyText,
    about: 'Client id of the application in that tenant',
  },
  teamsClientSecret: {
    env: 'HANSARD_TEAMS_CLIENT_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Client secret of that application',
  },
  teamsClientSecretFile: {
    env: 'HANSARD_TEAMS_CLIENT_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that contains the client secret, instead of `HANSARD_TEAMS_CLIENT_SECRET`',
  },
  teamsLoginUrl: {
    env: 'HANSARD_TEAMS_LOGIN_URL',
    schema: httpOrigin.refine(
      isOriginSafeForSecrets,
      'must be an https address: a secret is sent there',
    ),
    default: 'https://login.microsoftonline.com',
    about: 'Address of the Microsoft sign-in service; national clouds use a different one',
  },
  galeneHosts: {
    env: 'HANSARD_GALENE_HOSTS',
    schema: hostList,
    about:
      'Galène servers that bots may join, separated by commas: host names, with a port unless it is 443. Also private addresses',
  },
  galenePassword: {
    env: 'HANSARD_GALENE_PASSWORD',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Password with which bots join groups of Galène; if not set, they join without one',
  },
  galenePasswordFile: {
    env: 'HANSARD_GALENE_PASSWORD_FILE',
    schema: nonEmptyText,
    about: 'File that contains that password, instead of `HANSARD_GALENE_PASSWORD`',
  },
  livekitHosts: {
    env: 'HANSARD_LIVEKIT_HOSTS',
    schema: hostList,
    about:
      'LiveKit servers that bots may connect to, separated by commas: host names, with a port unless it is 443. Also machines that sound comes from, and private addresses',
  },
  livekitApiKey: {
    env: 'HANSARD_LIVEKIT_API_KEY',
    schema: nonEmptyText,
    about: 'API key with which bots join rooms of these servers by name',
  },
  livekitApiSecret: {
    env: 'HANSARD_LIVEKIT_API_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Secret of that API key',
  },
  livekitApiSecretFile: {
    env: 'HANSARD_LIVEKIT_API_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that contains that secret, instead of `HANSARD_LIVEKIT_API_SECRET`',
  },
  laSuiteMeetHosts: {
    env: 'HANSARD_LA_SUITE_MEET_HOSTS',
    schema: hostList,
    about:
      'Websites of La Suite Meet whose rooms bots may enter as guests, separated by commas. Their LiveKit servers must be in `HANSARD_LIVEKIT_HOSTS`',
  },
  zoomClientId: {
    env: 'HANSARD_ZOOM_CLIENT_ID',
    schema: nonEmptyText,
    about: 'Client id of the Zoom app whose streams (RTMS) bots read',
  },
  zoomClientSecret: {
    env: 'HANSARD_ZOOM_CLIENT_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Client secret of that app, with which bots sign their connections',
  },
  zoomClientSecretFile: {
    env: 'HANSARD_ZOOM_CLIENT_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that contains the client secret, instead of `HANSARD_ZOOM_CLIENT_SECRET`',
  },
} as const

/** Settings for what meeting platforms send to this service. Only nodes with the role `api` receive it. */
export const PLATFORM_WEBHOOK_SETTINGS = {
  zoomWebhookSecret: {
    env: 'HANSARD_ZOOM_WEBHOOK_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Secret token of that app, with which Zoom signs its webhooks',
  },
  zoomWebhookSecretFile: {
    env: 'HANSARD_ZOOM_WEBHOOK_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that contains the secret token, instead of `HANSARD_ZOOM_WEBHOOK_SECRET`',
  },
} as const

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
  recordingMiB: {
    env: 'HANSARD_RECORDING_MIB',
    schema: integerInRange(1, 16_384),
    default: '1024',
    about:
      'Largest recording that can be imported, in MiB; it is stored encrypted in the database until it is recognized',
  },
  recordingHours: {
    env: 'HANSARD_RECORDING_HOURS',
    schema: integerInRange(1, 24),
    default: '8',
    about: 'Longest recording that can be imported, in hours',
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
