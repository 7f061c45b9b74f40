import { z } from 'zod'
import {
  httpOrigin,
  isSafeOrigin,
  jsonStringArray,
  nonEmptyText,
  integerInRange,
} from './setting-schemas.ts'

/** The part of the settings that is about browsers and who bots come as. */
export const BOT_SETTINGS = {
  browserPath: {
    env: 'HANSARD_BROWSER_PATH',
    schema: nonEmptyText,
    about: 'Chrome or Chromium to use; without it the first one found',
  },
  browserArgs: {
    env: 'HANSARD_BROWSER_ARGS',
    schema: jsonStringArray,
    default: '[]',
    about: 'Extra Chromium arguments, a JSON array of strings',
  },
  browserCdp: {
    env: 'HANSARD_BROWSER_CDP',
    schema: z.url({ protocol: /^(https?|wss?)$/, error: 'must be an http or ws address' }),
    isSecret: true,
    about: 'A Chrome of your own to use, by the address of its DevTools endpoint',
  },
  browserMode: {
    env: 'HANSARD_BROWSER_MODE',
    schema: z.enum(['headless', 'shell', 'headed']),
    default: 'headless',
    about:
      '`headless`: no window; `shell`: the lighter headless shell; `headed`: with a window, under Xvfb without a screen',
  },
  botsPerBrowser: {
    env: 'HANSARD_BOTS_PER_BROWSER',
    schema: integerInRange(1, 100),
    default: '8',
    about: 'Most bots that share one browser',
  },
  selectorsFile: {
    env: 'HANSARD_SELECTORS_FILE',
    schema: nonEmptyText,
    about: 'JSON file whose ways to find parts of a page come before the built-in ones',
  },
  teamsTenant: {
    env: 'HANSARD_TEAMS_TENANT',
    schema: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, 'must be a tenant id or domain'),
    about: 'Tenant that vouches for bots in Microsoft Teams (bot identification)',
  },
  teamsClientId: {
    env: 'HANSARD_TEAMS_CLIENT_ID',
    schema: nonEmptyText,
    about: 'Application of that tenant for which tokens are fetched',
  },
  teamsClientSecret: {
    env: 'HANSARD_TEAMS_CLIENT_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Its client secret',
  },
  teamsClientSecretFile: {
    env: 'HANSARD_TEAMS_CLIENT_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that holds the client secret instead',
  },
  teamsLoginUrl: {
    env: 'HANSARD_TEAMS_LOGIN_URL',
    schema: httpOrigin.refine(isSafeOrigin, 'must be an https address: a secret is sent there'),
    default: 'https://login.microsoftonline.com',
    about: 'Where those tokens come from; national clouds have their own',
  },
} as const
