import { SPEECH_MODES, DEFAULT_SPEECH_MODE, type SpeechMode } from '../../src/http/shapes/values.ts'
import { useAppState } from '../api/use-api.tsx'
import { SelectField, toOptions } from '../ui/fields.tsx'
import { readFormText } from '../ui/forms.tsx'

const SPEECH_LABELS: Record<SpeechMode, string> = {
  fallback: 'Where the meeting has no captions',
  always: 'Always, instead of captions',
  off: 'Never',
}
/** The default first. */
const OFFERED = SPEECH_MODES.toSorted((mode) => (mode === DEFAULT_SPEECH_MODE ? -1 : 0))

/** When a bot writes down what it hears. Not shown where speech cannot be recognized, unless something was chosen. */
export function SpeechField({ chosen = DEFAULT_SPEECH_MODE }: { chosen?: SpeechMode | undefined }) {
  const { hasSpeech } = useAppState()
  if (!hasSpeech && chosen === DEFAULT_SPEECH_MODE) return null
  return (
    <SelectField
      name="speech"
      label="Recognize speech"
      description="Hansard then listens and writes down what it hears. Sound is never stored."
      defaultValue={chosen}
      data={toOptions(SPEECH_LABELS, OFFERED)}
    />
  )
}

/** The choice in a form; empty if the field is not shown. */
export function readSpeechField(values: FormData): { speech?: SpeechMode } {
  const speech = SPEECH_MODES.find((mode) => mode === readFormText(values, 'speech'))
  return speech === undefined ? {} : { speech }
}
