/* Parts of POSIX: enough to read programs with threads */
#ifndef ULT_PTHREAD_H
#define ULT_PTHREAD_H

#include <features.h>

#include <sys/types.h>
#include <time.h>

typedef unsigned long pthread_t;
typedef union {
  int ult_state[10];
  void *ult_align;
} pthread_mutex_t;
typedef union {
  int ult_state[12];
  void *ult_align;
} pthread_cond_t;
typedef union {
  int ult_state[14];
  void *ult_align;
} pthread_rwlock_t;
typedef union {
  int ult_state[14];
  void *ult_align;
} pthread_attr_t;
typedef union {
  int ult_state;
} pthread_mutexattr_t;
typedef union {
  int ult_state;
} pthread_condattr_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_RWLOCK_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0

extern int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_detach(pthread_t thread);
extern void pthread_exit(void *result) __attribute__((__noreturn__));
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t left, pthread_t right);
extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
extern int pthread_cond_destroy(pthread_cond_t *condition);
extern int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
extern int pthread_cond_signal(pthread_cond_t *condition);
extern int pthread_cond_broadcast(pthread_cond_t *condition);
extern int pthread_once(pthread_once_t *once, void (*start)(void));

#endif
