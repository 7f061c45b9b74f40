import { defineConfig } from 'vite'

export default defineConfig({
  base: '/',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2023',
    // Recent browsers only, so that light-dark() is not rewritten: the rewritten form ignores Mantine's theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // The content security policy forbids data: URLs, so no assets are inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file for what several pages use. Rolldown would make fifty small ones, and each is a request. The
        // question box stays apart, because its styles must come after those of the whole console.
        codeSplitting: {
          groups: [
            { name: 'common', test: /^(?!.*\/web\/ask\/).*\.(?:mjs|js|tsx?)$/, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
