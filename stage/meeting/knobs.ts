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

/** The settings in which a meeting can differ from a plain one. The pages receive these values unchanged. */
const KNOBS = {
  /** The build of the platform's page: the present one, or the one before it. */
  generation: z.enum(['current', 'earlier']).default('current'),
  locale: z.enum(['en', 'de', 'fr', 'it', 'hu', 'ja']).default('en'),
  /** Whether Google Meet follows the language of `?hl=` in the address. */
  obeysAddressLocale: z.boolean().default(true),
  /** How many times faster than real time scripts, `say` and the timers of the pages run. */
  speed: z.number().positive().max(1_000).default(1),

  /** The first screen of a page. */
  opening: z.enum(OPENING_SCREENS).default('prejoin'),
  /** The screen after the join button, when no script decides. */
  door: z.enum(DOOR_SCREENS).default('lobby'),
  isSignedIn: z.boolean().default(false),
  asksPermission: z.boolean().default(false),
  /** A dialog that must be accepted after the join button. */
  notice: z.enum(['none', 'recorded', 'transcribed', 'notes']).default('none'),
  /** Whether the platform asks about cookies before it shows its page. */
  asksAboutCookies: z.boolean().default(false),
  /** Whether the account is in the call on another device. `switch only`: the page offers no second device. */
  accountElsewhere: z.enum(['no', 'yes', 'switch only']).default('no'),
  /** Whether Google Meet offers its companion mode before the join button. */
  offersCompanionMode: z.boolean().default(false),
  /** Whether the buttons for captions and people have a label and the ids that go with it. */
  hasButtonLabels: z.boolean().default(true),
  /** Whether the page has an empty caption area while captions are off. */
  hasEmptyCaptionArea: z.boolean().default(false),
  /** Whether a bubble covers the captions button at the start of the call. */
  hasCaptionsTip: z.boolean().default(false),
  /** A town hall or webinar of Microsoft Teams, in which the page belongs to somebody who only watches. */
  isEvent: z.boolean().default(false),
  /** Whether Microsoft Teams is inside a frame: of the same host, or of another host of Microsoft Teams. */
  frame: z.enum(['none', 'same host', 'other host']).default('none'),
  /** Replaces texts of the pages, by their names in `texts.js`: `{ askToJoin: 'Ask to join anyway' }`. */
  words: z.record(z.string(), z.string()).default({}),
  /** Whether Google Meet has invisible copies of its input fields. */
  hasGhosts: z.boolean().default(false),
  /** Whether Google Meet's microphone and camera labels end with their keyboard shortcut. */
  labelsHaveKeys: z.boolean().default(false),
  hasAudioElements: z.boolean().default(true),
  toolbarHidesAfterMs: z.number().positive().nullable().default(null),
  suspicion: z.int().min(0).default(0),
  /** The number of moving videos that arrive over a peer connection. */
  videos: z.int().min(0).max(50).default(0),

  /** Whether the participants can be heard, over a peer connection. Without it the page has no audio track. */
  hasSound: z.boolean().default(false),
  /** The audio tracks that the speakers share on Google Meet. Microsoft Teams mixes everybody into one. */
  audioTracks: z.int().min(1).max(50).default(3),
  /** `pcmu` is the sound of a telephone, with 8,000 samples per second. */
  audioCodec: z.enum(['opus', 'pcmu']).default('opus'),

  /** Whether a script waits with its first caption until a page has captions on. */
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
  /** The same for a row that is longer than this, however fast its words come. */
  restartAfterCharacters: z.int().positive().nullable().default(null),
  /** The number of language list nodes that Google Meet adds to the page with the captions. */
  junkNodes: z.int().min(0).default(440),
  /** The number of caption rows that Microsoft Teams keeps in the page. */
  keptRows: z.int().min(1).default(40),
  /** Whether the element of a removed row is used again for the next row, as in a virtual list. */
  recyclesRows: z.boolean().default(false),
  /** Whether captions can be turned on at all. */
  hasCaptions: z.boolean().default(true),
  captionLanguage: z.string().default('en-US'),
  /** The spoken language on the wire. Captions in another language are translated. Null: the language of the captions. */
  spokenLanguage: z.string().nullable().default(null),
  /** Whether captions keep their language when a page asks for another. */
  isCaptionLanguageFixed: z.boolean().default(false),
  /** Whether caption rows show the names of the speakers. */
  captionsHaveNames: z.boolean().default(true),

  /** The data channels that carry captions on Google Meet. On Microsoft Teams an empty list means no captions on the wire. */
  wires: z.array(z.enum(['captions', 'captions_v2'])).default(['captions', 'captions_v2']),
  /** Whether the wire carries the list of participants. */
  hasRoster: z.boolean().default(true),
  /** A `captions_v2` message that the page does not acknowledge is sent again after this real time. */
  repeatAfterMs: z.number().positive().default(1_000),
  v2Wrappers: z.literal([1, 2]).default(1),

  /** Where the chat messages of participants arrive: on the wire, in the chat of the page, or both. */
  chatBy: z.array(z.enum(['wire', 'page'])).default(['wire', 'page']),
  /** Whether Google Meet's field for a chat message is a text area, or an editable element as since April 2026. */
  chatField: z.enum(['textarea', 'editable']).default('textarea'),

  client: z.enum(['full', 'light']).default('full'),
  /** Whether the light client of Microsoft Teams switches to the full client while joining. */
  turnsFull: z.boolean().default(false),
  /** Whose page of Microsoft Teams it is. A host finds captions one menu deeper, and the caption rows have a marker. */
  view: z.enum(['guest', 'host']).default('guest'),
  /** Whether the objects of the calling library can be reached from the page. */
  hasInternals: z.boolean().default(true),
  /** Whether the keyboard shortcut for captions does nothing, as for guests of some meetings. */
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
