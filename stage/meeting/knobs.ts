import { z } from 'zod'

export const OPENING_SCREENS = [
  'prejoin',
  'captcha',
  'sign-in',
  'bad-code',
  'blocked',
  'splash',
] as const

export const DOOR_SCREENS = [
  'lobby',
  'host-absent',
  'call',
  'blocked',
  'bot-detected',
  'no-answer',
  'away',
  'captcha',
  'splash',
] as const

/** Settings in which a meeting can differ from a plain one. The pages receive these values unchanged. */
const KNOBS = {
  /** The build of the platform's page: the current one, or the one before it. */
  generation: z.enum(['current', 'earlier']).default('current'),
  locale: z.enum(['en', 'de', 'fr', 'it', 'hu', 'ja']).default('en'),
  /** Google Meet follows the language of `?hl=` in the address. */
  obeysAddressLocale: z.boolean().default(true),
  /** How much faster than real time scripts, `say` and the timers of the pages run. */
  speed: z.number().positive().max(1_000).default(1),

  /** The first screen of a page. */
  opening: z.enum(OPENING_SCREENS).default('prejoin'),
  /** The screen after the join button, if no script decides. */
  door: z.enum(DOOR_SCREENS).default('lobby'),
  isSignedIn: z.boolean().default(false),
  asksPermission: z.boolean().default(false),
  /** A dialog that must be accepted after the join button. */
  notice: z.enum(['none', 'recorded', 'transcribed', 'notes']).default('none'),
  /** The platform asks about cookies before it shows its page. */
  asksAboutCookies: z.boolean().default(false),
  /** The account is in the call on another device. `switch only`: the page offers no second device. */
  accountElsewhere: z.enum(['no', 'yes', 'switch only']).default('no'),
  /** Google Meet offers its companion mode before the join button. */
  offersCompanionMode: z.boolean().default(false),
  /** The buttons for captions and people have a label and the ids that go with it. */
  hasButtonLabels: z.boolean().default(true),
  /** The page has an empty caption area while captions are off. */
  hasEmptyCaptionArea: z.boolean().default(false),
  /** A bubble covers the captions button at the start of the call. */
  hasCaptionsTip: z.boolean().default(false),
  /** A town hall or webinar of Microsoft Teams. The page belongs to a person who only watches. */
  isEvent: z.boolean().default(false),
  /** Microsoft Teams is inside a frame, of the same host or of another host of Microsoft Teams. */
  frame: z.enum(['none', 'same host', 'other host']).default('none'),
  /** Replaces texts of the pages by their names in `texts.js`: `{ askToJoin: 'Ask to join anyway' }`. */
  words: z.record(z.string(), z.string()).default({}),
  /** Google Meet has invisible copies of its input fields. */
  hasGhosts: z.boolean().default(false),
  /** Google Meet's microphone and camera labels end with their keyboard shortcut. */
  labelsHaveKeys: z.boolean().default(false),
  hasAudioElements: z.boolean().default(true),
  toolbarHidesAfterMs: z.number().positive().nullable().default(null),
  suspicion: z.int().min(0).default(0),
  /** The number of moving videos that arrive over a peer connection. */
  videos: z.int().min(0).max(50).default(0),

  /** The participants can be heard over a peer connection. Without it, the page has no audio track. */
  hasSound: z.boolean().default(false),
  /** The number of audio tracks that the speakers share on Google Meet. Microsoft Teams mixes all speakers into one. */
  audioTracks: z.int().min(1).max(50).default(3),
  /** `pcmu` is the sound of a telephone, with 8,000 samples per second. */
  audioCodec: z.enum(['opus', 'pcmu']).default('opus'),

  /** A script delays its first caption until a page has captions on. */
  waitsForCaptions: z.boolean().default(false),
  /** The time between two changes of a growing caption. Google Meet: 330; Microsoft Teams: 300 to 700. */
  cadenceMs: z.number().positive().default(330),
  /** The number of characters at the end of a growing caption that the next change corrects. */
  correctionDepth: z.int().min(0).max(200).default(0),
  /** `data` changes the text node; `node` replaces the text node at each change. */
  textBy: z.enum(['data', 'node']).default('data'),
  hasSeedRows: z.boolean().default(false),
  hasTwinRows: z.boolean().default(false),
  /** How long every fifth change removes the row from the page. 0: never. */
  removalGapMs: z.number().min(0).default(0),
  /** Google Meet empties the row of a turn that lasts longer than this (about 30 minutes). */
  restartAfterMs: z.number().positive().nullable().default(1_800_000),
  /** The same for a row with more characters than this, however fast its words come. */
  restartAfterCharacters: z.int().positive().nullable().default(null),
  /** The number of nodes of the language list that Google Meet adds to the page with the captions. */
  junkNodes: z.int().min(0).default(440),
  /** The number of caption rows that Microsoft Teams keeps in the page. */
  keptRows: z.int().min(1).default(40),
  /** The element of a removed row is reused for the next row, as in a virtual list. */
  recyclesRows: z.boolean().default(false),
  /** Captions can be turned on. */
  hasCaptions: z.boolean().default(true),
  captionLanguage: z.string().default('en-US'),
  /** The spoken language on the wire. Captions in another language are translated. Null: the captions' language. */
  spokenLanguage: z.string().nullable().default(null),
  /** Captions keep their language when a page requests another one. */
  isCaptionLanguageFixed: z.boolean().default(false),
  /** Caption rows show the speakers' names. */
  captionsHaveNames: z.boolean().default(true),

  /** The data channels with captions on Google Meet. On Microsoft Teams, an empty list turns wire captions off. */
  wires: z.array(z.enum(['captions', 'captions_v2'])).default(['captions', 'captions_v2']),
  /** The wire carries the participant list. */
  hasRoster: z.boolean().default(true),
  /** A `captions_v2` message that the page does not acknowledge is sent again after this real time. */
  repeatAfterMs: z.number().positive().default(1_000),
  v2Wrappers: z.literal([1, 2]).default(1),

  /** Where participants' chat messages arrive: on the wire, in the chat of the page, or both. */
  chatBy: z.array(z.enum(['wire', 'page'])).default(['wire', 'page']),
  /** Google Meet's field for a chat message is a text area, or an editable element as since April 2026. */
  chatField: z.enum(['textarea', 'editable']).default('textarea'),

  client: z.enum(['full', 'light']).default('full'),
  /** While joining, the light client of Microsoft Teams switches to the full client. */
  turnsFull: z.boolean().default(false),
  /** A host's page of Microsoft Teams has captions one menu deeper, and a marker in the caption rows. */
  view: z.enum(['guest', 'host']).default('guest'),
  /** The page can reach the objects of the calling library. */
  hasInternals: z.boolean().default(true),
  /** The keyboard shortcut for captions does nothing, as for guests of some meetings. */
  isShortcutDeaf: z.boolean().default(false),
} as const

const SCHEMA = z.strictObject(KNOBS)
export type Knobs = z.output<typeof SCHEMA>
export type KnobSettings = z.input<typeof SCHEMA>

export const KNOB_NAMES = Object.keys(KNOBS) as Array<keyof Knobs>

export function readKnobs(given: KnobSettings = {}): Knobs {
  const { data, error } = SCHEMA.safeParse(given)
  if (error) throw new Error(z.prettifyError(error))
  return data
}
