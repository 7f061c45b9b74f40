/** The first user of a test service. */
export const ADMIN = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
