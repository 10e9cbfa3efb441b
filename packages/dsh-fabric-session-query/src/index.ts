/** How text becomes terms that can be found, whatever its script, and which part of it an answer shows. */
export { termsOf, type Place, placesOf } from './terms.ts'
export { excerptOf, type ExcerptRequest } from './excerpt.ts'
