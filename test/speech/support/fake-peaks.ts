/** The fake engine treats utterances with these largest samples specially. Others become `heard N`. */
export const FAKE_PEAKS = { ends: 30_000, endsOnce: 30_001, hangs: 30_002, slow: 30_003 } as const
