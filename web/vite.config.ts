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
  },
})
