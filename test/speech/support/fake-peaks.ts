/** Utterances with these largest samples are special for the fake engine; others become `heard N`. */
export const FAKE_PEAKS = { ends: 30_000, endsOnce: 30_001, hangs: 30_002, slow: 30_003 } as const
