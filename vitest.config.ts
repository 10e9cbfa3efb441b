import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/**/*.spec.ts'], pool: 'forks', testTimeout: 20_000 },
})
