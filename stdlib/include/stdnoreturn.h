/* C11 7.23 */
#ifndef ULT_STDNORETURN_H
#define ULT_STDNORETURN_H

#define noreturn _Noreturn

#endif
