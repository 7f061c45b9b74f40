/** Functions of the browser, saved before the page's scripts can replace them. */
export function saveBrowserFunctions() {
  const { MediaStreamTrackProcessor, MediaStream, Audio, Float32Array, Uint8Array } = globalThis
  const { Promise, Math, Reflect, Object, performance } = globalThis
  const { setTimeout, clearTimeout } = globalThis
  const { apply } = Reflect
  const call =
    (method) =>
    (target, ...args) =>
      apply(method, target, args)
  const getter = ({ prototype }, name) => call(Object.getOwnPropertyDescriptor(prototype, name).get)
  const setter = ({ prototype }, name) => call(Object.getOwnPropertyDescriptor(prototype, name).set)
  const { AudioData, MediaStreamTrack, HTMLMediaElement } = globalThis
  const getReader = call(globalThis.ReadableStream.prototype.getReader)
  const readableOf = getter(MediaStreamTrackProcessor, 'readable')
  const { read, cancel } = globalThis.ReadableStreamDefaultReader.prototype
  const then = call(Promise.prototype.then)
  const readyStateOf = getter(MediaStreamTrack, 'readyState')
  const sampleRateOf = getter(AudioData, 'sampleRate')
  const framesOf = getter(AudioData, 'numberOfFrames')
  const channelsOf = getter(AudioData, 'numberOfChannels')
  const timestampOf = getter(AudioData, 'timestamp')
  const play = call(HTMLMediaElement.prototype.play)
  const pause = call(HTMLMediaElement.prototype.pause)
  const setSource = setter(HTMLMediaElement, 'srcObject')
  const setMuted = setter(HTMLMediaElement, 'muted')
  const ignore = () => undefined

  return {
    Float32Array,
    Uint8Array,
    Promise,
    Math,
    now: performance.now.bind(performance),
    timeOrigin: performance.timeOrigin,
    setTimeout: setTimeout.bind(globalThis),
    clearTimeout: clearTimeout.bind(globalThis),
    getContributingSources: call(globalThis.RTCRtpReceiver.prototype.getContributingSources),
    copyTo: call(AudioData.prototype.copyTo),
    close: call(AudioData.prototype.close),
    readFormat: (data) => ({
      sampleRate: sampleRateOf(data),
      numberOfFrames: framesOf(data),
      numberOfChannels: channelsOf(data),
      timestamp: timestampOf(data),
    }),
    isEnded: (track) => readyStateOf(track) === 'ended',
    openReader: (track, maxBufferSize) =>
      getReader(readableOf(new MediaStreamTrackProcessor({ track, maxBufferSize }))),
    read: call(read),
    // If the stream has failed, this rejects with the error that `read` already reports.
    cancel: (reader) => void then(apply(cancel, reader, []), ignore, ignore),
    /** Calls `onSettled` with the error, or without arguments. */
    whenSettled: (promise, onSettled) => void then(promise, () => onSettled(), onSettled),
    createMutedAudio() {
      const element = new Audio()
      setMuted(element, true)
      return element
    },
    /** Calls `onError` if the tracks cannot be played, but not if other tracks replace them first. */
    playTracks(element, tracks, onError) {
      if (tracks.length === 0) {
        pause(element)
        setSource(element, null)
        return
      }
      setSource(element, new MediaStream(tracks))
      then(play(element), ignore, (error) => {
        if (error?.name !== 'AbortError') onError(error)
      })
    },
  }
}
