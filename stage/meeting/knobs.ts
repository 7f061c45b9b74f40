import { z } from 'zod'

/** Everything in which a rehearsal can differ from the plain one. The pages get these values as they are. */
const KNOBS = {
  /** Which build of the platform's page: the present one, or the one before. */
  generation: z.enum(['current', 'earlier']).default('current'),
  locale: z.enum(['en', 'de', 'it', 'hu']).default('en'),
  /** Google Meet shows another language when the address says `hl=`. */
  obeysAddressLocale: z.boolean().default(true),
  /** How many times faster than life: for scripts, for `say`, and for the timers of the pages. */
  speed: z.number().positive().max(1_000).default(1),

  /** The screen a guest meets first. */
  opening: z
    .enum(['prejoin', 'captcha', 'sign-in', 'bad-code', 'blocked', 'splash'])
    .default('prejoin'),
  /** What follows the click on the join button when no script says so. */
  door: z
    .enum(['lobby', 'host-absent', 'call', 'blocked', 'away', 'captcha', 'splash'])
    .default('lobby'),
  isSignedIn: z.boolean().default(false),
  asksPermission: z.boolean().default(false),
  /** A dialog that must be accepted after the join button. */
  notice: z.enum(['none', 'recorded', 'transcribed', 'notes']).default('none'),
  /** Other words for the pages to say, by their names in `texts.js`: `{ askToJoin: 'Ask to join anyway' }`. */
  words: z.record(z.string(), z.string()).default({}),
  /** Google Meet keeps copies of its fields that nobody can see or use. */
  hasGhosts: z.boolean().default(false),
  /** Google Meet's labels of microphone and camera end with the keys for them. */
  labelsHaveKeys: z.boolean().default(false),
  hasAudioElements: z.boolean().default(true),
  toolbarHidesAfterMs: z.number().positive().nullable().default(null),
  suspicion: z.int().min(0).default(0),
  /** Moving pictures that come in over a peer connection. */
  videos: z.int().min(0).max(50).default(0),

  /** Whether a script holds its first caption back until somebody has captions on. */
  waitsForCaptions: z.boolean().default(false),
  /** How often a growing caption changes. Google Meet: 330; Microsoft Teams: 300 to 700. */
  cadenceMs: z.number().positive().default(330),
  /** How many characters at the end of a growing caption are still rough, and corrected with the next change. */
  correctionDepth: z.int().min(0).max(200).default(0),
  /** `data` changes the one text node; `node` puts a new one in its place each time. */
  textBy: z.enum(['data', 'node']).default('data'),
  hasSeedRows: z.boolean().default(false),
  hasTwinRows: z.boolean().default(false),
  /** How long every fifth change takes the row out of the page; 0 never does. */
  removalGapMs: z.number().min(0).default(0),
  /** Google Meet drops the text of a turn that lasts longer and begins anew (about 30 minutes). */
  restartAfterMs: z.number().positive().nullable().default(1_800_000),
  /** Nodes of the language list that come with the captions. */
  junkNodes: z.int().min(0).default(440),
  /** Rows Microsoft Teams keeps in the page. */
  keptRows: z.int().min(1).default(40),
  /** Whether a row that must go is used again for the next one, as virtual lists do. */
  recyclesRows: z.boolean().default(false),
  /** Whether anybody here can have captions at all. */
  hasCaptions: z.boolean().default(true),
  captionLanguage: z.string().default('en-US'),

  /** The data channels that carry captions on Google Meet; on Microsoft Teams none of them means no captions there. */
  wires: z.array(z.enum(['captions', 'captions_v2'])).default(['captions', 'captions_v2']),
  /** Whether the wire tells who is there. */
  hasRoster: z.boolean().default(true),
  /** A message of `captions_v2` that nobody acknowledges comes again after this time, by the real clock. */
  repeatAfterMs: z.number().positive().default(1_000),
  v2Wrappers: z.literal([1, 2]).default(1),

  client: z.enum(['full', 'light']).default('full'),
  /** The light client of Microsoft Teams goes over to the full one in mid-join. */
  turnsFull: z.boolean().default(false),
  /** Whose page of Microsoft Teams it is: a host finds captions one level deeper, and their rows are marked. */
  view: z.enum(['guest', 'host']).default('guest'),
  /** Whether the objects of the calling library can be reached from the page. */
  hasInternals: z.boolean().default(true),
  /** Guests of some meetings cannot turn captions on by the keyboard. */
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
