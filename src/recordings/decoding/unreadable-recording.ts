/** A recording cannot be read. The message is a sentence for people, without a full stop. */
export class UnreadableRecording extends Error {}
