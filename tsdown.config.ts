import { defineConfig } from 'tsdown'

export default defineConfig({
  workspace: 'packages/*',
  entry: ['src/index.ts'],
  outDir: 'lib',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
})
