/** The half of `Mailboxes` that is about claims, which every engine keeps in a class of its own. */
import type { Mailboxes } from './mesh.ts'

export type ClaimDesk = Pick<
  Mailboxes,
  'claim' | 'claimNext' | 'claimsOf' | 'extend' | 'settle' | 'whenSettled' | 'release'
>

export abstract class ClaimedMailboxes implements ClaimDesk {
  protected abstract readonly claims: ClaimDesk

  claim(...request: Parameters<ClaimDesk['claim']>): ReturnType<ClaimDesk['claim']> {
    return this.claims.claim(...request)
  }

  claimNext(...request: Parameters<ClaimDesk['claimNext']>): ReturnType<ClaimDesk['claimNext']> {
    return this.claims.claimNext(...request)
  }

  claimsOf(...request: Parameters<ClaimDesk['claimsOf']>): ReturnType<ClaimDesk['claimsOf']> {
    return this.claims.claimsOf(...request)
  }

  extend(...request: Parameters<ClaimDesk['extend']>): ReturnType<ClaimDesk['extend']> {
    return this.claims.extend(...request)
  }

  settle(...request: Parameters<ClaimDesk['settle']>): ReturnType<ClaimDesk['settle']> {
    return this.claims.settle(...request)
  }

  whenSettled(
    ...request: Parameters<ClaimDesk['whenSettled']>
  ): ReturnType<ClaimDesk['whenSettled']> {
    return this.claims.whenSettled(...request)
  }

  release(...request: Parameters<ClaimDesk['release']>): ReturnType<ClaimDesk['release']> {
    return this.claims.release(...request)
  }
}
