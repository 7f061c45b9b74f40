import type { JoinRequest, PlatformEvent } from '../platform.ts'
import { isTranscriptLanguage, nameOfTranscriptLanguage } from './languages.ts'

const NO_CHAT = 'streams of Zoom have no chat'
const NO_SPEECH =
  'Zoom sends a transcript, so the bot does not recognize speech itself in Zoom meetings'

/** Reports what makes the record worse, each once. */
export function createProblemReporter(
  { language, speech, chat }: JoinRequest,
  languageNumber: number | null,
  emit: (event: PlatformEvent) => void,
) {
  let isLanguageReported = false
  const problem = (code: 'caption_language' | 'speech_unavailable', detail: string) =>
    emit({ kind: 'caption problem', code, detail })
  const ofChat = (access: JoinRequest['chat'], isAdmitted: boolean) => {
    if (!isAdmitted || access?.outbox.first() === undefined) return
    while (access.outbox.first() !== undefined) access.outbox.removeFirst()
    emit({ kind: 'chat unavailable', detail: NO_CHAT })
  }
  return {
    ofChat,
    atStart() {
      ofChat(chat, true)
      if (speech === 'always') problem('speech_unavailable', NO_SPEECH)
      if (language !== null && languageNumber === null)
        problem(
          'caption_language',
          `Zoom does not transcribe ${language}, so it detects the language`,
        )
    },
    ofLanguage(number: number | undefined) {
      if (language === null || languageNumber === null || isLanguageReported) return
      if (number === undefined || number < 0 || isTranscriptLanguage(number, language)) return
      isLanguageReported = true
      const found = nameOfTranscriptLanguage(number)
      problem('caption_language', `The transcript of Zoom is in ${found} instead of ${language}`)
    },
  }
}
