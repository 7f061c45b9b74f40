import { measureRecognizer } from './measures/speech-alone.ts'
import { measureSpokenMeeting } from './measures/speech-meeting.ts'
import { joinRecordings, loadHumanReadings, speakSentences } from './support/speech/recordings.ts'

/** `npm run bench -- speech FILE.wav FILE.txt` also measures a recording (16,000 samples per second) and its text. */
export const speech = {
  about:
    'recognized speech: word errors, processor time and memory, native and WebAssembly, and a spoken meeting of three voices',
  async run() {
    const voices = speakSentences()
    if (voices === null)
      console.log('  synthetic voices are not measured: the program flite is not installed')
    const synthetic = [...(voices?.values() ?? [])]
    await measureRecognizer([
      ...(await loadHumanReadings(process.argv.slice(3))),
      ...synthetic.map((recordings) => joinRecordings(recordings)),
    ])
    if (voices !== null) await measureSpokenMeeting(voices)
  },
}
