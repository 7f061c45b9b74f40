import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Those of the first load; what only some pages need comes with them. */
const libraries = /node_modules\/(?!marked\/|dompurify\/)/

export default defineConfig({
  base: '/',
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2023',
    sourcemap: false,
    // The content security policy allows no data: scripts or fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'mantine', test: /node_modules\/(@mantine|@floating-ui)\//, priority: 2 },
            { name: 'libraries', test: libraries, priority: 1 },
          ],
        },
      },
    },
  },
})
