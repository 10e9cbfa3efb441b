import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/**/*.spec.ts'], pool: 'forks', testTimeout: 60_000, hookTimeout: 60_000 },
})
