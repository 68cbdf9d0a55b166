// Sorts, reductions and scans over several GPUs, of one host or of many: the same functions, under a policy over an
// NCCL communicator. This header alone needs nccl.h; programs link mgpu::distributed.
//
//   mgpu::sort(mgpu::par.on(stream).over(comm), first, last);  // on every rank of comm
//   mgpu::sort(mgpu::par.on(stream).over(team), first, last);  // by a team, which owns the scratch memory
//
// This holds for all calls over ranks:
//   Ranks   All ranks of the communicator make the same call, each on the communicator's device, with its own
//           iterators and its own stream, from a thread or a process of its own. What they give, one rank's range
//           after the other's, is one range, the whole. Ranks may have different numbers of items, or none, and keep
//           these numbers.
//   Functions  sort, stable_sort, sort_by_key, stable_sort_by_key and their _copy forms; reduce, transform_reduce,
//           reduce_into; inclusive_scan, exclusive_scan, transform_inclusive_scan, transform_exclusive_scan. Others
//           are refused at compile time. Signatures are the usual ones; comparators, operators and inits are the same
//           on all ranks, and so are the types.
//   Items   They are as the functions' own headers say, but keys and values of a sort are trivially copyable.
//   Order   A sort is stable: equal keys go by their rank, then by their place. Operators get the items in order, and
//           init enters once, before the first item of the whole. A reduction returns the same bits on each rank;
//           they follow from what each rank's own reduction comes to.
//   Policy  over(comm) comes last, after what else is attached to mgpu::par or mgpu::par_nosync, which all ranks choose
//           alike; a tuning holds for what a rank does by itself, and not for merging.
//   Team    An mgpu::team is a communicator with scratch memory on each rank, as its declaration says. Where the GPUs of
//           two ranks reach each other's memory, they write there the items that go from one to the other in a sort, by
//           their copy engines, which is faster than NCCL's kernels and leaves the multiprocessors to what is sorted
//           meanwhile; NCCL carries the rest.
//   Stream  NCCL's work is in the order of the stream. Under par a call returns when this rank's result is there. A
//           sort waits under any policy, for what the ranks have, before anything is written, and, unless keys are
//           counted, for where the sorted runs are cut; it cannot be captured. reduce and transform_reduce wait for
//           their value. Scans and reduce_into under par_nosync never wait, and may be captured into a CUDA graph
//           where NCCL's calls may.
//   Cost    A sort: that of each rank's items; a few rounds in which ranks find the cuts, each with two launches and
//           one all-gather of up to 1,024 keys of each rank for each rank but one; each item that belongs elsewhere
//           is sent once, and kept ones are copied meanwhile; then everything is merged in one pass for up to four
//           ranks, in three for up to 64, and two more for each 16 times as many, where groups of two to four become
//           one; keys over 32 bytes always in pairs, and so in three passes for three to eight ranks. A rank whose
//           items all stay copies and merges nothing. Integers of 32 and 64 bits without values, under less or
//           greater, of which each of up to 8 ranks has so many that it sorts them by the highest digits (on 9.0 from
//           2^19 or 3 * 2^17 on), and all together no more than one rank sorts so (somewhat over 2^29), are put into
//           buckets first, which go to the ranks instead, and are sorted there: so nothing is merged, and part is
//           sorted while part is sent. Keys that spread too unevenly for that are found out by a look at some, or
//           when they are counted. Integers of 8 and 16 bits without values are counted by their values instead, and
//           written anew from the sum of the counts. A reduction reads its items once and adds a launch and an
//           all-gather; a scan reads them twice, gives them to a unary function twice, and adds what a reduction
//           takes.
//   Scratch A sort takes that of each rank's own sort, or the memory of its items and for each rank twice the least
//           number of keys, and of values, that fill whole pieces of 128 bytes, if that is more; as much again for an
//           output that is not plain memory; and for the cuts, among n ranks, the memory of (n + 1) * (n - 1) * 1,024
//           keys (256 of more than 16 bytes; or 16 * n if that is more); and where keys may be put into buckets, 1.1
//           MB, 0.6 for each rank, the memory of two buckets, and of 1/64 of many keys. So it takes about twice the data in
//           all; where keys are counted, 16 bytes for each value they can have. Reductions and scans take what they take
//           on one device, and one T and 4 bytes for each rank. Pinned memory is kept as <mgpu/reduce.h> says.
//           policy.query_scratch(bytes).over(comm) tells exactly, on each rank for itself. A team brings all of it.
//   Throws  As the functions' own headers say; an error of NCCL is a thrust::system_error of category "nccl". A rank
//           without scratch memory, or whose team has too little, tells the others, and all throw std::bad_alloc: a
//           sort has then written nothing, a scan may have. Ranks that sort items of different sizes all throw. What
//           waits looks whether the communicator has failed (ncclCommGetAsyncError), and throws then. After any other
//           exception other ranks may still wait for this one: they throw once NCCL tells them that it is gone, as
//           when its process has ended. The communicator is the caller's to abort (ncclCommAbort), on every rank, and
//           not while a call on it runs in another thread: so threads of one process that wait are freed by ending
//           the process. What does not wait can tell others nothing: a rank that throws from a scan or reduce_into
//           under par_nosync leaves the work of others waiting until the communicator is aborted. Work that had begun
//           may go on after an exception: ranges, and memory from with_scratch() or an allocator, are in use until
//           the stream ends, and a team's memory until those of all ranks do.
//   Host    NCCL's kernels wait for those of other ranks, and what waits for them on the host can wait for ever: so
//           CUDA_MODULE_LOADING=EAGER is set, as loading a kernel may do that; no thread makes the calls of two ranks
//           one after the other; and where ranks are threads of one process, none calls cudaMalloc, cudaFree or the
//           like, itself, by an allocator of its policy, or by a team's destructor, while others have begun a call that
//           it has not. To make a team, or to close it, is safe, as ranks meet on the host for that.
//
// Sources: selection from sorted lists, Frederickson, Johnson, JCSS 1982; hybrid radix sort, Stehle, Jacobsen, SIGMOD 2017.
#pragma once
#include <mgpu/detail/dispatch/distributed.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
